# What the rules of the replay of Causal Memory Intervention share.

CMI = "resources/published/cmi"
CMI_STATISTICS = ["by_method", "by_family", "by_role", "audit", "tests"]


def cmi_files():
    """What the replay of CMI delivers."""
    return [
        *expand("results/cmi/{name}.csv", name=CMI_STATISTICS),
        *expand("results/comparison/cmi.{format}", format=["csv", "html"]),
        *expand("results/figures/cmi.{format}", format=["csv", "svg", "pdf"]),
    ]
