"""OAS: routers that choose an action from eleven features before anything is generated (arXiv 2607.17545).

Every policy sees what it may: a part of the questions to fit on, another to calibrate on, and is tested on a third.
Advantages are utilities less Retain's; Retain's own is 0 and is never modelled.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, GroupKFold
from sklearn.neighbors import KNeighborsRegressor
from sklearn.neural_network import MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

PENALTIES = (0.01, 0.1, 1.0, 10.0, 100.0)
NEIGHBOURS = (5, 15, 45)
HIDDEN = (4, 8, 16)
WEIGHT_DECAY = (0.001, 0.01, 0.1)
INNER_FOLDS = 3


@dataclass(frozen=True, slots=True)
class Table:
    """Questions under budgets.

    Attributes:
        questions: identity of each row's question, shape ``(rows,)``.
        budgets: its budget.
        features: shape ``(rows, 11)``.
        utilities: shape ``(rows, actions)``; the first action is Retain.
        actions: the actions, Retain first.
    """

    questions: np.ndarray
    budgets: np.ndarray
    features: np.ndarray
    utilities: np.ndarray
    actions: tuple[str, ...]

    @property
    def advantages(self) -> np.ndarray:
        """Utilities less Retain's, shape ``(rows, actions - 1)``."""
        return self.utilities[:, 1:] - self.utilities[:, :1]

    def rows(self, chosen: np.ndarray) -> Table:
        """Some of the rows."""
        return Table(
            self.questions[chosen],
            self.budgets[chosen],
            self.features[chosen],
            self.utilities[chosen],
            self.actions,
        )


#: A fitted policy: positions of the chosen actions for the rows of a table.
Policy = Callable[[Table], np.ndarray]
#: Fits a policy on one part of the questions and calibrates it on another.
Fit = Callable[[Table, Table], Policy]


def direct(fit: Table, calibrate: Table) -> Policy:
    """One ridge regression an action with an unpenalised intercept; the largest predicted advantage is taken."""
    return _largest(ridges(fit))


def calibrated(fit: Table, calibrate: Table) -> Policy:
    """Direct, but only where the predicted advantage reaches its budget's threshold, else Retain.

    The threshold of a budget is chosen on the calibrating questions among their predicted advantages and abstaining
    from all: without a harmed question, then most accurate, then the highest.
    """
    predict = ridges(fit)
    predicted = predict(calibrate)
    best, choice = predicted.max(axis=1), predicted.argmax(axis=1) + 1
    thresholds = {}
    for budget in np.unique(calibrate.budgets):
        here = calibrate.budgets == budget
        gains = calibrate.utilities[here, choice[here]] - calibrate.utilities[here, 0]
        scores = best[here]
        allowed = [(0.0, np.inf)]
        for threshold in np.unique(scores[scores > 0]):
            taken = gains[scores >= threshold]
            if (taken >= 0).all():
                allowed.append((float(taken.sum()), float(threshold)))
        thresholds[budget] = max(allowed)[1]

    def policy(table: Table) -> np.ndarray:
        found = predict(table)
        limits = np.array([thresholds.get(budget, np.inf) for budget in table.budgets])
        top = found.max(axis=1)
        return np.where((top > 0) & (top >= limits), found.argmax(axis=1) + 1, 0)

    return policy


def nearest(fit: Table, calibrate: Table) -> Policy:
    """The mean advantage of the nearest questions of standardised features; how many is chosen by inner folds."""
    return _largest(_search(make_pipeline(StandardScaler(), KNeighborsRegressor()), "kneighborsregressor__n_neighbors",
                            NEIGHBOURS, fit))  # fmt: skip


def perceptron(fit: Table, calibrate: Table) -> Policy:
    """A perceptron with one hidden layer; its width and weight decay are chosen by inner folds."""
    network = MLPRegressor(solver="lbfgs", max_iter=200, tol=1e-3, random_state=0)
    grid = {
        "mlpregressor__hidden_layer_sizes": [(width,) for width in HIDDEN],
        "mlpregressor__alpha": list(WEIGHT_DECAY),
    }
    return _largest(_fitted(make_pipeline(StandardScaler(), network), grid, fit))


def fixed(action: str) -> Fit:
    """Always one action."""
    return lambda fit, calibrate: lambda table: np.full(len(table.questions), table.actions.index(action))


def best_fixed(fit: Table, calibrate: Table) -> Policy:
    """The action with the largest mean utility at each budget (ties: the first)."""
    best = {b: int(fit.utilities[fit.budgets == b].mean(axis=0).argmax()) for b in np.unique(fit.budgets)}
    return lambda table: np.array([best[budget] for budget in table.budgets])


def evidence_fit(fit: Table, calibrate: Table) -> Policy:
    """Retain where all evidence fits the budget, else the best other action of the budget."""
    best = {b: int(fit.advantages[fit.budgets == b].mean(axis=0).argmax()) + 1 for b in np.unique(fit.budgets)}
    return lambda table: np.where(table.features[:, 3] >= 1.0, 0, [best[budget] for budget in table.budgets])


def oracle(fit: Table, calibrate: Table) -> Policy:
    """The best action of every row (ties: the first, so Retain before all): the most that is possible."""
    return lambda table: table.utilities.argmax(axis=1)


#: Policies beside the fixed actions, by name, in the order of the tables.
POLICIES: Mapping[str, Fit] = {
    "best_fixed": best_fixed,
    "evidence_fit": evidence_fit,
    "k_nn": nearest,
    "mlp": perceptron,
    "direct": direct,
    "calibrated": calibrated,
    "oracle": oracle,
}


def folds(questions: Sequence[str], count: int = 5) -> np.ndarray:
    """The fold of each row, ``0 … count - 1``; the rows of a question are never split, sizes differ by one at most.

    Questions are dealt in the order of their identities, so that every type is in every fold.
    """
    order = {question: number % count for number, question in enumerate(sorted(set(questions)))}
    return np.array([order[question] for question in questions])


def cross_fitted(table: Table, fit: Fit, count: int = 5) -> np.ndarray:
    """The chosen action of every row, by a policy that was fitted on three folds and calibrated on a fourth."""
    fold = folds(table.questions, count)
    chosen = np.zeros(len(fold), dtype=int)
    for test in range(count):
        held = (test + 1) % count
        policy = fit(table.rows((fold != test) & (fold != held)), table.rows(fold == held))
        here = fold == test
        chosen[here] = policy(table.rows(here))
    return chosen


def ridges(fit: Table) -> Callable[[Table], np.ndarray]:
    """Predicted advantages of a table's rows over Retain, shape ``(rows, actions - 1)``: one ridge an action."""
    models = [
        _search(make_pipeline(StandardScaler(), Ridge()), "ridge__alpha", PENALTIES, fit, fit.advantages[:, action])
        for action in range(fit.advantages.shape[1])
    ]
    return lambda table: np.column_stack([model(table) for model in models])


def _search(
    model: BaseEstimator, setting: str, values: Sequence[float], fit: Table, target: np.ndarray | None = None
) -> Callable[[Table], np.ndarray]:
    return _fitted(model, {setting: list(values)}, fit, target)


def _fitted(
    model: BaseEstimator, grid: Mapping[str, list], fit: Table, target: np.ndarray | None = None
) -> Callable[[Table], np.ndarray]:
    """A model whose settings are chosen by inner folds that split no question, fitted on all rows."""
    search = GridSearchCV(model, grid, scoring="neg_mean_squared_error", cv=GroupKFold(INNER_FOLDS))
    with warnings.catch_warnings():
        # A perceptron's iterations are capped on purpose: stopping early is part of how it is kept simple.
        warnings.simplefilter("ignore", ConvergenceWarning)
        search.fit(fit.features, fit.advantages if target is None else target, groups=fit.questions)
    return lambda table: search.predict(table.features)


def _largest(predict: Callable[[Table], np.ndarray]) -> Policy:
    """The action with the largest predicted advantage; Retain where none is above 0."""

    def policy(table: Table) -> np.ndarray:
        found = predict(table)
        return np.where(found.max(axis=1) > 0, found.argmax(axis=1) + 1, 0)

    return policy
