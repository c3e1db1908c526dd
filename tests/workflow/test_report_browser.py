"""The report as a reader sees it: every result opens, no error on the console, no request leaves the file."""

import re
import shutil

import pytest

from workflow.checkout import SMOKE

pytestmark = pytest.mark.slow

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
#: Widths of a large, a common and a narrow window.
WIDTHS = (1440, 1280, 800)
#: The five headline numbers of the first page.
HEADLINES = ("Published figures met", "Evaluations, JointCore", "behavior kept", "savings", "calls a task")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]


@pytest.fixture
def open_page():
    """Open a file in headless Chromium; collects errors of the console and requests that leave the file."""
    api = pytest.importorskip("playwright.sync_api")
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine")
    troubles: list[str] = []
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)

        def show(path, width):
            page = browser.new_page(viewport={"width": width, "height": 900})
            page.set_default_timeout(15_000)
            page.on("console", lambda message: message.type == "error" and troubles.append(message.text))
            page.on("pageerror", lambda error: troubles.append(str(error)))
            page.on("request", lambda r: r.url.startswith(("http", "ws")) and troubles.append(r.url))
            page.goto(f"file://{path}")
            return page

        yield show, troubles
        browser.close()


@pytest.mark.parametrize("width", [1300, 480])
def test_every_result_opens(studied, open_page, width, tmp_path):
    report = tmp_path / "report.html"
    studied.run("--report", str(report), *SMOKE, "--", "all", "local_study")
    assert report.stat().st_size < 15_000_000
    show, troubles = open_page
    places = [
        ("0 Start here", None, 4),
        ("1 Exact stage", "Tables", 3),
        ("1 Exact stage", "Figures", 1),
        ("1 Exact stage", "Figure data", 2),
    ]
    places += [("2 Worked example", None, 2), ("3 Published and reproduced", None, 2)]
    model_stage = {"Tables": 11, "Figures": 5, "Figure data": 5}
    places += [("4 Model stage (local demonstration)", part, count) for part, count in model_stage.items()]
    for section, part, count in places:
        page = show(report, width)
        page.get_by_text("This run reproduces").first.wait_for()
        menu = page.locator("nav").first
        menu.get_by_text(section, exact=True).click()
        if part:
            menu.get_by_text(part, exact=True).click()
        eyes = menu.locator("[iconname=eye]")
        eyes.first.wait_for()
        assert eyes.count() == count, (section, part)
        for i in range(count):
            if part == "Figure data":
                with page.expect_download() as download:
                    eyes.nth(i).click()
                assert download.value.suggested_filename.endswith(".csv")
            else:
                eyes.nth(i).click()
                page.locator("iframe, img").last.wait_for(state="attached")
        page.close()
    assert troubles == []


def test_tables_sort_and_search(finished, open_page):
    show, troubles = open_page
    page = show(finished.folder / "results/tables/table1_by_family.html", 1000)
    rows = page.locator("tbody tr:visible")
    everything = rows.count()
    page.get_by_label("Search").fill("xor jointcore")
    assert 0 < rows.count() < everything
    assert all("XOR" in text and "JointCore" in text for text in rows.all_text_contents())
    page.get_by_label("Search").fill("")
    page.get_by_role("button", name="Evaluations").click()
    page.get_by_role("button", name="Evaluations").click()
    counts = [float(text) for text in page.locator("tbody td:last-child").all_text_contents()]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > counts[-1]
    assert troubles == []


def test_the_first_page_has_its_numbers_on_the_first_screen(finished, open_page):
    show, troubles = open_page
    page = show(finished.folder / "results/report/index.html", 1280)
    page.set_viewport_size({"width": 1280, "height": 720})
    cards = page.locator(".cards li")
    assert cards.count() == len(HEADLINES)
    for i, words in enumerate(HEADLINES):
        assert words in cards.nth(i).inner_text()
        box = cards.nth(i).bounding_box()
        assert box["y"] + box["height"] <= 720
        assert box["x"] + box["width"] <= 1280
    for link in page.locator(".links a").all():
        assert (finished.folder / "results/report" / link.get_attribute("href")).is_file()
    assert troubles == []


def test_every_page_is_whole_and_readable(studied, open_page):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    show, troubles = open_page
    pages = sorted((studied.folder / "results").rglob("*.html"))
    assert len(pages) >= 20
    for path in pages:
        page = show(path, WIDTHS[0])
        page.wait_for_function("!document.querySelector('.cases') || document.querySelector('.cases').dataset.ready")
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (path.name, width)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            found = axe.run(page, options={"runOnly": ["wcag2a", "wcag2aa"]}).response["violations"]
            assert [(path.name, scheme, one["id"], one["nodes"][0]["html"]) for one in found] == []
        page.close()
    assert troubles == []


def test_pale_text_would_be_found(open_page, tmp_path):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    show, _ = open_page
    page = tmp_path / "pale.html"
    page.write_text('<html lang="en"><title>pale</title><body style="background:#fff"><p style="color:#ccc">pale</p>')
    found = axe.run(show(page, 800), options={"runOnly": ["wcag2aa"]}).response["violations"]
    assert [one["id"] for one in found] == ["color-contrast"]


def test_a_reader_goes_through_the_cases(studied, open_page):
    show, troubles = open_page
    page = show(studied.folder / "results/report/local/cases.html", 1280)
    page.locator(".cases[data-ready]").wait_for()
    heading, count = page.locator(".case h2"), page.locator(".count")
    first, everything = heading.inner_text(), count.inner_text()

    def choice(name):
        return page.locator(".filters label", has_text=re.compile(f"^{name}")).locator("select")

    assert page.locator(".tabs [aria-pressed=true]").inner_text().startswith("JointCore ")
    page.keyboard.press("j")
    second = heading.inner_text()
    assert second != first
    page.keyboard.press("k")
    assert heading.inner_text() == first
    page.keyboard.press("n")
    assert page.locator(".tabs [aria-pressed=true]").inner_text().startswith("Exact oracle")
    page.keyboard.press("p")
    page.keyboard.press("/")
    page.keyboard.type("xor calendar")
    assert heading.inner_text().startswith("XOR · calendar")
    assert count.inner_text() != everything
    assert page.locator(".path tbody tr").count() > 3
    page.get_by_label("Search").fill("no such case")
    assert "No case fits" in page.locator(".case").inner_text()
    page.get_by_label("Search").fill("")
    choice("Family").select_option("Threshold")
    choice("Found").select_option("not a minimum-cost set")
    assert heading.inner_text().startswith("Threshold")
    assert "not a minimum-cost set" in page.locator(".case").inner_text()
    choice("Found").select_option("")
    choice("Method").select_option("Cost-aware singleton")
    assert "needed: {" in page.locator(".case").inner_text()
    assert troubles == []


def test_pages_fit_a_narrow_screen(finished, open_page):
    show, troubles = open_page
    for name in ("tables/table1_by_n.html", "comparison/exact.html"):
        page = show(finished.folder / "results" / name, 380)
        assert page.evaluate("document.documentElement.scrollWidth") <= 380, name
    assert troubles == []
