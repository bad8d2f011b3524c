#!/usr/bin/env python3
"""Writes a sales report in Markdown: the headline, figures by region and product, the trend by month."""

from __future__ import annotations

import json
import sys

sys.dont_write_bytecode = True  # a skill folder holds what its author put there and nothing else
from lib import sales


def main() -> None:
    options = sales.parser(__doc__)
    options.add_argument("--title", default="Sales report", help="default: Sales report")
    options.add_argument("--chart", help="an SVG that generate_chart wrote, to show in the report")
    options.add_argument("--out", default="report.md", help="the file to write (default: report.md)")
    args = options.parse_args()
    rows = sales.load(args)
    trend = sales.trend(rows, "amount")
    text = report(args.title, rows, trend, args.chart)
    sales.write(args.out, text)
    print(
        json.dumps({"file": args.out, "lines": text.count("\n"), "headline": headline(rows, trend)}, ensure_ascii=False)
    )


def headline(rows: list[sales.Sale], trend: sales.Trend) -> str:
    amount = sum(row.amount for row in rows)
    months = list(trend.totals)
    return (
        f"Sales of ${amount:,.2f} from {months[0]} to {months[-1]}; monthly sales are {trend.direction}, "
        f"best month {trend.best}, worst month {trend.worst}."
    )


def report(title: str, rows: list[sales.Sale], trend: sales.Trend, chart: str | None) -> str:
    figures = sales.describe([row.amount for row in rows])
    lines = [f"# {title}", "", headline(rows, trend), ""]
    if chart:
        lines += [f"![Sales]({chart})", ""]
    for by in ("region", "product"):
        lines += [f"## By {by}", "", *share_table(by, sales.totals(rows, "amount", by)), ""]
    lines += [
        "## By month",
        "",
        "```",
        *sales.text_bars(trend.totals),
        "```",
        "",
        f"The fitted line changes by ${trend.slope:,.2f} a month (r² {trend.r_squared}).",
        "",
        "## A single sale",
        "",
        f"{figures['count']} sales: median ${figures['median']:,.2f}, mean ${figures['mean']:,.2f}, "
        f"from ${figures['min']:,.2f} to ${figures['max']:,.2f}.",
    ]
    return "\n".join(lines) + "\n"


def share_table(by: str, sums: dict[str, float]) -> list[str]:
    whole = sum(sums.values()) or 1
    biggest_first = sorted(sums.items(), key=lambda entry: -entry[1])
    return [
        f"| {by.capitalize()} | Amount | Share |",
        "|---|---:|---:|",
        *(f"| {key} | ${value:,.2f} | {100 * value / whole:.1f} % |" for key, value in biggest_first),
    ]


if __name__ == "__main__":
    main()
