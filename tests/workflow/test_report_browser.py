"""The report as a reader sees it: every result opens, no error on the console, no request leaves the file."""

import shutil

import pytest

from workflow.checkout import SMOKE

pytestmark = pytest.mark.slow

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
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
        ("0 Start here", None, 3),
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
        shown = eyes.count()
        assert shown >= count, (section, part)
        for i in range(shown):
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


def test_pages_fit_a_narrow_screen(finished, open_page):
    show, troubles = open_page
    for name in ("tables/table1_by_n.html", "comparison/exact.html"):
        page = show(finished.folder / "results" / name, 380)
        assert page.evaluate("document.documentElement.scrollWidth") <= 380, name
    assert troubles == []
