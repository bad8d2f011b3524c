"""What the five tools of this skill share: reading the sales table, its options and its arithmetic.

It lies one folder deeper than the tools, so frameworks that list a skill's scripts do not offer it to the model.
"""

from __future__ import annotations

import argparse
import csv
import datetime
import math
import statistics
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

SKILL = Path(__file__).resolve().parent.parent.parent
SAMPLE = "assets/sales.csv"

NUMBERS = ("amount", "units")
GROUPS = ("month", "region", "product")
COLUMNS = ("date", "region", "product", "units", "unit_price", "amount")


@dataclass(frozen=True)
class Sale:
    """One line of the table. `amount` is in US dollars, `month` is `YYYY-MM`."""

    date: str
    month: str
    region: str
    product: str
    units: int
    unit_price: float
    amount: float


@dataclass(frozen=True)
class Trend:
    """The least-squares line through the monthly totals."""

    totals: dict[str, float]
    slope: float
    r_squared: float
    direction: str

    @property
    def best(self) -> str:
        return max(self.totals, key=self.totals.__getitem__)

    @property
    def worst(self) -> str:
        return min(self.totals, key=self.totals.__getitem__)

    @property
    def change(self) -> float | None:
        """First to last month, in percent; none after a first month without sales."""
        first, *_, last = self.totals.values()
        return round(100 * (last / first - 1), 1) if first else None


def parser(description: str) -> argparse.ArgumentParser:
    """The options that all five tools take."""
    options = argparse.ArgumentParser(
        description=description, epilog="Exit codes: 0 done, 1 the table cannot be used, 2 wrong usage."
    )
    options.error = lambda message: stop(2, message)
    options.add_argument("--file", default=SAMPLE, help=f"the table (default: {SAMPLE} of this skill)")
    options.add_argument("--region", help="only this region")
    options.add_argument("--product", help="only this product")
    options.add_argument("--start", type=month, help="first month, YYYY-MM")
    options.add_argument("--end", type=month, help="last month, YYYY-MM")
    return options


def load(args: argparse.Namespace) -> list[Sale]:
    """The sales that the options ask for, in the order of the table; never empty."""
    sys.stdout.reconfigure(encoding="utf-8")
    sales = read(args.file)
    for column in ("region", "product"):
        wanted = getattr(args, column)
        known = sorted({getattr(sale, column) for sale in sales})
        if wanted and wanted.lower() not in map(str.lower, known):
            stop(2, f"no {column} '{wanted}'; there are {', '.join(known)}")
        sales = [sale for sale in sales if not wanted or getattr(sale, column).lower() == wanted.lower()]
    kept = [sale for sale in sales if (args.start or "") <= sale.month <= (args.end or "9999-99")]
    if not kept:
        months = sorted({sale.month for sale in sales})
        period = f"; the table runs from {months[0]} to {months[-1]}" if months else ""
        stop(2, f"no sales match these options{period}")
    return kept


def totals(sales: list[Sale], column: str, by: str) -> dict[str, float]:
    """Sum of a number column for each month, region or product, in the order of their names."""
    sums = {key: 0.0 for key in sorted({getattr(sale, by) for sale in sales})}
    for sale in sales:
        sums[getattr(sale, by)] += getattr(sale, column)
    return {key: rounded(value) for key, value in sums.items()}


def describe(values: list[float]) -> dict[str, float | int | None]:
    """The figures that references/statistics-guide.md explains; the spread is null for a single value."""
    several = len(values) > 1
    low, _, high = statistics.quantiles(values, n=4, method="inclusive") if several else (None, None, None)
    return {
        "count": len(values),
        "sum": rounded(sum(values)),
        "mean": rounded(statistics.fmean(values)),
        "median": rounded(statistics.median(values)),
        "stdev": rounded(statistics.stdev(values)) if several else None,
        "min": rounded(min(values)),
        "lower_quartile": rounded(low) if several else None,
        "upper_quartile": rounded(high) if several else None,
        "max": rounded(max(values)),
    }


def trend(sales: list[Sale], column: str) -> Trend:
    """Needs two months; "flat" is a slope under one percent of the mean month."""
    by_month = totals(sales, column, "month")
    if len(by_month) < 2:
        stop(2, "a trend needs sales from at least two months")
    heights = list(by_month.values())
    places = range(len(heights))
    mean_place, mean_height = statistics.fmean(places), statistics.fmean(heights)
    covariance = sum((x - mean_place) * (y - mean_height) for x, y in zip(places, heights))
    spread = sum((x - mean_place) ** 2 for x in places)
    scatter = sum((y - mean_height) ** 2 for y in heights)
    slope = covariance / spread
    direction = "flat" if abs(slope) < 0.01 * mean_height else "rising" if slope > 0 else "falling"
    return Trend(by_month, rounded(slope), round(covariance**2 / (spread * scatter), 3) if scatter else 1.0, direction)


def text_bars(sums: dict[str, float], width: int = 40) -> list[str]:
    """A bar chart in characters, for readers without a picture viewer."""
    label, top = max(map(len, sums)), max(sums.values()) or 1
    return [f"{key:<{label}}  {'█' * round(width * value / top) or '▏'} {value:,.0f}" for key, value in sums.items()]


def rounded(value: float) -> float:
    return round(value, 2)


def write(path: str, text: str) -> None:
    """Write an output into the current directory, or wherever the path says."""
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        stop(1, f"cannot write {path}: {error.strerror}")


def stop(code: int, message: str) -> NoReturn:
    """Some frameworks hand the model standard output and nothing else, so that is where errors go too."""
    print(f"Error: {message}")
    sys.exit(code)


def read(path: str) -> list[Sale]:
    """The whole table: from the current directory, else from this skill."""
    found = next((place for place in (Path(path), SKILL / path) if place.is_file()), None)
    if found is None:
        stop(1, f"no table at {path}, neither in the current directory nor in this skill; the sample is {SAMPLE}")
    try:
        with found.open(encoding="utf-8-sig", newline="") as table:
            rows = csv.DictReader(table)
            missing = [column for column in COLUMNS if column not in (rows.fieldnames or [])]
            if missing:
                stop(1, f"{path} has no column {', '.join(missing)}; it needs {', '.join(COLUMNS)}")
            return [sale(row, path, rows.line_num) for row in rows]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        stop(1, f"cannot read {path}: {error}")


def sale(row: dict[str, str], path: str, line: int) -> Sale:
    try:
        return Sale(
            date=row["date"],
            month=month(row["date"][:7]),
            region=row["region"],
            product=row["product"],
            units=int(number(row["units"])),
            unit_price=number(row["unit_price"]),
            amount=number(row["amount"]),
        )
    except (TypeError, ValueError) as error:
        stop(1, f"{path}, line {line}: {error}")


def month(text: str) -> str:
    datetime.date.fromisoformat(f"{text}-01")
    return text


def number(text: str) -> float:
    value = float(text)
    if not (math.isfinite(value) and value >= 0):
        raise ValueError(f"{text} is not a number from 0 up")
    return value
