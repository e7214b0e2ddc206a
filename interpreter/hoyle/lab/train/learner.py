"""Self-play: one small network that scores the choices of a decision, trained by proximal policy optimisation (PPO).

In: a game and a `Course`. Out: a `Learner` that plays all seats against itself, improves the network, measures it
against random play, and writes checkpoints and policies. It needs PyTorch (`pip install 'hoyle[train]'`).

The score of a choice is the sum of what the network says of its tokens, so that one network serves every game, however
many choices a decision has. Each seat learns from its own decisions: what its standing gains until it decides again,
and at the end of a match, where nothing is told before, the utility.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import nn

from hoyle.base.dataclass import dataclass
from hoyle.lab.learning.features import Features, list_layouts
from hoyle.lab.learning.policies import LARGEST, Layer, Policy, PolicyError, fingerprint
from hoyle.lab.train.device_arrays import DeviceEnvironment
from hoyle.lab.train.environment import CUT, MOST_CHOICES, ArrayEnvironment

if TYPE_CHECKING:
    from hoyle.play.engine.game import Game

NEVER = -1e9
ROOM = 260_000  # weights of a policy
LEAST_WIDTH, MOST_WIDTH = 32, 256
PROBED = 192  # steps to find how long menus are
LEAST_SPREAD = 0.05  # of advantages, so that noise is not blown up where nothing is at stake
LEAST_SCALE = 0.05  # of the first
AVERAGED = 0.1  # of all updates so far, the last ones: what the averaged weights go back


class TrainingError(Exception):
    """Training cannot begin or go on; the text says why."""


@dataclass(frozen=True, slots=True)
class Course:
    """How to train. `steps` decisions in all, or `seconds`, whichever comes first. `entropy` rewards mixing choices;
    `evenness` keeps choices alive that seem bad now, since bids look bad until the cards are played well. One choice
    brings at most `most` times `unit` (0: what is usual), so that rare disasters do not drown all else. In so many
    `worlds` level hard tries its choices (0: none)."""

    seconds: float = 600.0
    steps: int = 10**12
    matches: int = 256
    horizon: int = 64
    minibatches: int = 8
    epochs: int = 2
    rate: float = 6e-4
    entropy: float = 0.01
    last_entropy: float = 0.001
    evenness: float = 0.04
    last_evenness: float = 0.002
    discount: float = 0.997
    trace: float = 0.95
    clip: float = 0.2
    unit: float = 0.0
    most: float = 6.0
    worlds: int = 0
    seed: int = 1
    threads: int = 1
    device: str = "cpu"
    every: float = 20.0  # seconds between progress lines


class Network(nn.Module):  # type: ignore[misc]  # the base class is not typed
    """Observation to a score for each token, and the value of the position for the seat that looks."""

    def __init__(self, features: Features, width: int) -> None:
        super().__init__()
        self.first = nn.Linear(features.size, width)
        self.second = nn.Linear(width, width)
        self.scores = nn.Linear(width, features.vocabulary)
        self.value = nn.Linear(width, 1)
        for layer, gain in ((self.first, 1.4), (self.second, 1.4), (self.scores, 0.01), (self.value, 0.1)):
            nn.init.orthogonal_(layer.weight, gain)
            nn.init.zeros_(layer.bias)

    def forward(self, observations: Any) -> tuple[Any, Any]:
        hidden = torch.relu(self.first(observations))
        hidden = hidden + torch.relu(self.second(hidden))
        return self.scores(hidden), self.value(hidden)[:, 0]


def score_choices(scores: Any, tokens: Any, counts: Any) -> Any:
    """The logits of all rows of the menus, from the scores of tokens; token 0 counts nothing."""
    rows, choices, length = tokens.shape
    scores = torch.cat([torch.zeros_like(scores[:, :1]), scores[:, 1:]], 1)
    logits = scores.gather(1, tokens.reshape(rows, -1).long()).view(rows, choices, length).sum(2)
    return logits.masked_fill(torch.arange(choices, device=tokens.device) >= counts[:, None], NEVER)


def choose_width(features: Features) -> int:
    """The hidden units for which the policy fits its file, if half of the inputs are ever used."""
    inputs = features.size // 2 + features.vocabulary
    width = int((-inputs + math.sqrt(inputs * inputs + 4 * ROOM)) / 2)
    return max(LEAST_WIDTH, min(MOST_WIDTH, width // 8 * 8))


class Matches:
    """An environment as tensors, on a processor or on a GPU, where nothing is copied."""

    def __init__(self, game: Game, count: int, course: Course, choices: int, seed: int) -> None:
        self.is_on_device = course.device != "cpu"
        self._environment: Any
        if self.is_on_device:
            self._environment = DeviceEnvironment(game, count, seed=seed, choices=choices)
            self.tensors = [torch.from_dlpack(each) for each in self._environment.arrays]
        else:
            self._environment = ArrayEnvironment(game, count, seed=seed, choices=choices, threads=course.threads)
            self.tensors = [torch.from_numpy(each) for each in self._environment.arrays]
        self.observations, self.tokens, self.counts, self.seats, self.gains, self.rewards, self.ends = self.tensors
        self.features: Features = self._environment.features
        self.is_valued: bool = self._environment.tables.is_valued
        self.count = count

    def step(self, chosen: Any) -> None:
        if self.is_on_device:
            self._kept = chosen.int().contiguous()
            self._environment.step(self._kept.data_ptr(), wait=False)
        else:
            self._environment.step(chosen.numpy())

    @property
    def brought(self) -> Any:
        """What the last choice brought each seat: where no standing is told before the end, the utility."""
        return self.gains if self.is_valued else self.rewards


def probe_choices(game: Game, course: Course) -> int:
    """How many rows the menus need, from random play."""
    matches = Matches(game, 256, course, MOST_CHOICES, course.seed)
    widest = 1
    for _ in range(PROBED):
        widest = max(widest, int(matches.counts.max()))
        matches.step((torch.rand(256, device=matches.counts.device) * matches.counts).long())
    return min(MOST_CHOICES, -(-int(1.3 * widest + 1) // 4) * 4)


@dataclass(slots=True)
class Progress:
    """What has been reached so far; `curve` has a row for each progress line."""

    seconds: float = 0.0
    steps: int = 0
    updates: int = 0
    curve: list[dict[str, float]] = field(default_factory=list)


class Learner:
    """Trains one network on one game. `run` yields after each progress line."""

    def __init__(self, game: Game, course: Course, *, width: int | None = None) -> None:
        if course.device != "cpu" and not torch.cuda.is_available():
            raise TrainingError("there is no GPU that PyTorch can use")
        torch.manual_seed(course.seed)
        torch.set_num_threads(max(1, course.threads))
        torch.backends.cuda.matmul.allow_tf32 = True
        self.game, self.course, self.progress = game, course, Progress()
        self.choices = probe_choices(game, course)
        self.matches = Matches(game, course.matches, course, self.choices, course.seed)
        self.trials = Matches(game, min(course.matches, 2048), course, self.choices, course.seed + 1)
        self.features = self.matches.features
        self._make_network(choose_width(self.features) if width is None else width)
        self.scale = self.first_scale = torch.ones((), device=course.device)
        self.used = torch.zeros(self.features.size, device=course.device)
        self._allocate()

    def _make_network(self, width: int) -> None:
        self.width, device = width, self.course.device
        self.network, self.averaged = (Network(self.features, width).to(device) for _ in range(2))
        self.averaged.load_state_dict(self.network.state_dict())
        self.optimiser = torch.optim.Adam(self.network.parameters(), self.course.rate, eps=1e-5)

    def _allocate(self) -> None:
        course, device, features = self.course, self.course.device, self.features
        t, n = course.horizon, course.matches
        self._observations = torch.zeros(t, n, features.size, device=device)
        self._tokens = torch.zeros(t, n, self.choices, features.tokens, dtype=torch.int16, device=device)
        self._counts, self._seats = (torch.zeros(t, n, dtype=torch.int32, device=device) for _ in range(2))
        self._chosen = torch.zeros(t, n, dtype=torch.long, device=device)
        self._logs, self._values = (torch.zeros(t, n, device=device) for _ in range(2))
        self._brought = torch.zeros(t, n, self.game.players, device=device)
        self._ended = torch.zeros(t, n, device=device)

    # ---------------------------------------------------------------------------------------------- self-play
    @torch.no_grad()  # type: ignore[untyped-decorator]
    def play(self) -> None:
        """Fill the buffers by self-play."""
        matches = self.matches
        for t in range(self.course.horizon):
            scores, value = self.network(matches.observations)
            logs = score_choices(scores, matches.tokens, matches.counts).log_softmax(1)
            chosen = torch.multinomial(logs.exp(), 1)[:, 0]
            self._observations[t], self._tokens[t] = matches.observations, matches.tokens
            self._counts[t], self._seats[t] = matches.counts, matches.seats
            self._chosen[t], self._values[t] = chosen, value
            self._logs[t] = logs.gather(1, chosen[:, None])[:, 0]
            matches.step(chosen)
            self._brought[t], self._ended[t] = matches.brought, (matches.ends > 0).float()
            self._brought[t][matches.ends == CUT] = 0.0

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def estimate(self) -> tuple[Any, Any, Any]:
        """Advantages and returns of all decisions, and which of them can be told: those after which the same seat
        decides again, or the match ends."""
        course, device = self.course, self.course.device
        n, players = course.matches, self.game.players
        rows = torch.arange(n, device=device)
        advantages, told = torch.zeros_like(self._values), torch.zeros_like(self._values)
        brought, after, traced = (torch.zeros(n, players, device=device) for _ in range(3))
        known = torch.zeros(n, players, device=device)
        _, value = self.network(self.matches.observations)
        seats = self.matches.seats.long()
        after[rows, seats], known[rows, seats] = value, 1.0
        for t in reversed(range(course.horizon)):
            alive = 1.0 - self._ended[t][:, None]
            after, traced, brought = after * alive, traced * alive, brought * alive
            known = torch.maximum(known, 1.0 - alive)
            brought = brought + (self._brought[t] / self.scale).clamp(-course.most, course.most)
            seats = self._seats[t].long()
            gained = brought[rows, seats] + course.discount * after[rows, seats] - self._values[t]
            advantage = gained + course.discount * course.trace * traced[rows, seats]
            advantages[t], told[t] = advantage, known[rows, seats]
            after[rows, seats], traced[rows, seats] = self._values[t], advantage
            brought[rows, seats], known[rows, seats] = 0.0, 1.0
        return advantages, advantages + self._values, told

    def rescale(self) -> None:
        """Follow, slowly, how much a choice brings that brings anything."""
        some = self._brought[self._brought != 0]
        now = some.square().mean().sqrt() if len(some) else self.scale
        if self.course.unit:
            self.scale = torch.full_like(self.scale, self.course.unit)
            return
        if self.progress.updates == 0:
            self.scale = self.first_scale = now.clamp(min=1e-6)
        self.scale = torch.maximum(0.98 * self.scale + 0.02 * now, LEAST_SCALE * self.first_scale)

    def improve(self, entropy: float, evenness: float, rate: float) -> dict[str, float]:
        """A few epochs of PPO over the buffers."""
        course = self.course
        self.rescale()
        advantages, returns, told = (each.flatten() for each in self.estimate())
        keep = told.nonzero()[:, 0]
        mean, deviation = advantages[keep].mean(), advantages[keep].std().clamp(min=LEAST_SPREAD)
        flat = self._observations.view(-1, self.features.size)
        self.used += (flat[:: max(1, len(flat) // 8192)] != 0).float().sum(0)
        tokens = self._tokens.view(-1, self.choices, self.features.tokens)
        counts, chosen, logs = self._counts.flatten(), self._chosen.flatten(), self._logs.flatten()
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        sums = torch.zeros(3, device=course.device)
        for _ in range(course.epochs):
            order = keep[torch.randperm(len(keep), device=course.device)]
            for rows in order.chunk(course.minibatches):
                scores, values = self.network(flat[rows])
                now = score_choices(scores, tokens[rows], counts[rows]).log_softmax(1)
                ratio = (now.gather(1, chosen[rows, None])[:, 0] - logs[rows]).exp()
                worth = (advantages[rows] - mean) / deviation
                gain = torch.min(ratio * worth, ratio.clamp(1 - course.clip, 1 + course.clip) * worth).mean()
                mixed = -(now.exp() * now.clamp(min=-20.0)).sum(1).mean()
                offered = torch.arange(self.choices, device=course.device) < counts[rows, None]
                uneven = -((now.clamp(min=-20.0) * offered).sum(1) / counts[rows]).mean()
                missed = nn.functional.smooth_l1_loss(values, returns[rows], beta=2.0)
                loss = 0.5 * missed - gain - entropy * mixed + evenness * uneven
                self.optimiser.zero_grad(set_to_none=True)
                loss.backward()
                nn.utils.clip_grad_norm_(self.network.parameters(), 0.5)
                self.optimiser.step()
                sums += torch.stack([loss.detach(), mixed.detach(), missed.detach()])
        with torch.no_grad():
            for kept, new in zip(self.averaged.parameters(), self.network.parameters(), strict=True):
                kept.lerp_(new, 1 / (1 + AVERAGED * self.progress.updates))
        loss_, mixed_, missed_ = (sums / (course.epochs * course.minibatches)).tolist()
        stake = float(self._brought.abs().sum()) / self._brought.numel() * self.game.players * 100
        return {"loss": loss_, "entropy": mixed_, "missed": missed_, "stake": stake}

    # ---------------------------------------------------------------------------------------------- the whole
    def run(self, stop: Callable[[], bool] = lambda: False) -> Iterator[dict[str, float]]:
        """Train, until it is time or `stop` says so; yield a row of the curve now and then, and at the end.
        `TrainingError` if it diverges: the network is then that of the last row."""
        course, begun, said = self.course, time.monotonic() - self.progress.seconds, 0.0
        good = {name: held.clone() for name, held in self.network.state_dict().items()}
        while (share := max(self.progress.seconds / course.seconds, self.progress.steps / course.steps)) < 1.0:
            done = min(1.0, share / 0.9)
            entropy = course.entropy + (course.last_entropy - course.entropy) * done
            evenness = course.evenness + (course.last_evenness - course.evenness) * done
            self.play()
            found = self.improve(entropy, evenness, course.rate * max(0.05, 1.0 - share))
            self.progress.updates += 1
            self.progress.steps += course.horizon * course.matches
            self.progress.seconds = time.monotonic() - begun
            if not all(map(math.isfinite, found.values())):
                self.network.load_state_dict(good)
                after = f"{self.progress.steps:,} decisions"
                raise TrainingError(f"training diverges after {after}: the loss is no number; kept is what was before")
            is_over = stop() or self.progress.seconds >= course.seconds or self.progress.steps >= course.steps
            if is_over or self.progress.seconds - said >= course.every:
                said = self.progress.seconds
                good = {name: held.clone() for name, held in self.network.state_dict().items()}
                yield self._tell(found)
            if is_over:
                break

    def _tell(self, found: dict[str, float]) -> dict[str, float]:
        ahead, spread = self.compare()
        row = {
            "seconds": round(self.progress.seconds, 1), "steps": self.progress.steps, "ahead": ahead, "spread": spread,
            "scale": float(self.scale), **found,
        }  # fmt: skip
        self.progress.curve.append(row)
        return row

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def compare(self, steps: int = 128) -> tuple[float, float]:
        """What the averaged network brings, in a hundred decisions of a match, to a side of its own against sides that
        choose at random, with half the width of a 95 % interval; for all seats where there is one side."""
        trials, device = self.trials, self.course.device
        sides = torch.tensor(self.features.sides, device=device)
        ours = torch.arange(trials.count, device=device) % len(set(self.features.sides))
        alone = len(set(self.features.sides)) == 1 or self.game.utility_sum is None  # they play together
        mine = (sides[None, :] == ours[:, None]) | alone
        brought = torch.zeros(trials.count, device=device)
        for _ in range(steps):
            scores, _ = self.averaged(trials.observations)
            logits = score_choices(scores, trials.tokens, trials.counts)
            learnt = torch.multinomial(logits.softmax(1), 1)[:, 0]
            guess = (torch.rand(trials.count, device=device) * trials.counts).long()
            is_mine = mine.gather(1, trials.seats.long()[:, None])[:, 0]
            trials.step(torch.where(is_mine, learnt, guess))
            brought += (trials.brought * mine).sum(1) / mine.sum(1)
        brought *= 100 / steps
        return float(brought.mean()), float(1.96 * brought.std() / math.sqrt(trials.count))

    # ---------------------------------------------------------------------------------------------- checkpoints
    def save(self, path: Path) -> None:
        """Write a checkpoint, whole or not at all."""
        held = {
            "fingerprint": fingerprint(self.game.program), "width": self.width, "course": asdict(self.course),
            "network": self.network.state_dict(), "averaged": self.averaged.state_dict(), "used": self.used,
            "optimiser": self.optimiser.state_dict(), "scale": self.scale, "first_scale": self.first_scale,
            "progress": asdict(self.progress),
        }  # fmt: skip
        passing = path.with_suffix(path.suffix + ".passing")
        torch.save(held, passing)
        passing.replace(path)

    def begin_with(self, path: Path) -> None:
        """Take the weights of a checkpoint of other rules, such as a variant's, with the same inputs and tokens; or of
        a policy, which has all but the values of positions."""
        if path.suffix == ".policy":
            self._take_policy(path)
            return
        try:
            held = torch.load(path, map_location=self.course.device, weights_only=True)
            self.network.load_state_dict(held["network"])
            self.averaged.load_state_dict(held["averaged"])
            self.used = held["used"]
        except Exception as error:
            raise TrainingError(f"{path} cannot be begun with: {error}") from None

    def _take_policy(self, path: Path) -> None:
        try:
            policy = Policy.read(path)
        except PolicyError as error:
            raise TrainingError(str(error)) from None
        width = policy.layers[-1].inputs
        tokens = policy.layers[-1].units
        if not any(policy.fits(each.size, each.vocabulary) for each in list_layouts(self.game.program)):
            raise TrainingError(f"{path} cannot be begun with: it has other inputs or choices")
        if width > self.width:
            self._make_network(width)
        held = self.network.state_dict()
        for name, layer in zip(("first", "second", "scores"), policy.layers, strict=True):
            weights = np.frombuffer(layer.weights, np.int8).reshape(layer.inputs, layer.units).T
            rows = torch.from_numpy((weights * np.array(layer.factors)[:, None]).astype(np.float32))
            taken = policy.used if name == "first" else list(range(layer.inputs))
            held[f"{name}.weight"][: layer.units] = 0.0  # of units that are more here, nothing is added
            held[f"{name}.weight"][: layer.units, taken] = rows.to(self.course.device)
            held[f"{name}.bias"][: layer.units] = torch.tensor(layer.biases, device=self.course.device)
        held["scores.weight"][tokens:], held["scores.bias"][tokens:] = 0.0, 0.0  # of tokens that are more here
        self.network.load_state_dict(held)
        self.averaged.load_state_dict(held)
        self.used[policy.used] = 1.0

    def load(self, path: Path) -> None:
        """Go on from a checkpoint; matches begin anew."""
        try:
            held = torch.load(path, map_location=self.course.device, weights_only=True)
            if held["fingerprint"] != fingerprint(self.game.program):
                raise TrainingError(f"{path} was written for other rules than those of {self.game.name} now")
            self.network.load_state_dict(held["network"])
            self.averaged.load_state_dict(held["averaged"])
            self.optimiser.load_state_dict(held["optimiser"])
            self.scale, self.first_scale, self.used = held["scale"], held["first_scale"], held["used"]
            self.progress = Progress(**held["progress"])
        except TrainingError:
            raise
        except Exception as error:
            raise TrainingError(f"{path} is not a checkpoint of this training: {error}") from None

    def make_policy(self) -> Policy:
        """The averaged network as a policy, without the inputs that were never used, rounded as finely as the file has
        room for; if there is none at last, without those that are used least."""
        state = {name: held.cpu().numpy().astype(np.float32) for name, held in self.averaged.state_dict().items()}
        used = np.flatnonzero(self.used.cpu().numpy() > 0)
        busiest = np.argsort(-self.used.cpu().numpy(), kind="stable")[: len(used)]
        told = {
            "game": self.game.name, "players": self.game.players, "options": json.loads(json.dumps(self.game.options)),
            "fingerprint": fingerprint(self.game.program), "steps": self.progress.steps,
            "curve": self.progress.curve[-1] if self.progress.curve else {},
        }  # fmt: skip
        if self.course.worlds:
            told["worlds"] = self.course.worlds
        for steps, kept in ((127, 1.0), (63, 1.0), (31, 1.0), *((31, share / 20) for share in range(19, 0, -1))):
            used = np.sort(busiest[: max(1, int(kept * len(busiest)))])
            state["inputs"] = state["first.weight"][:, used]
            layers = [
                Layer.quantise(state[weights], state[f"{name}.bias"], steps)
                for name, weights in (("first", "inputs"), ("second", "second.weight"), ("scores", "scores.weight"))
            ]
            policy = Policy(told, self.features.size, [int(place) for place in used], layers)
            if len(policy.to_bytes()) <= LARGEST:
                break
        return policy
