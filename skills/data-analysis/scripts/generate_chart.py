#!/usr/bin/env python3
"""Draws the totals of a column by month, region or product: an SVG file, and the same bars as text."""

from __future__ import annotations

import math
import sys
from xml.sax.saxutils import escape

sys.dont_write_bytecode = True  # a skill folder holds what its author put there and nothing else
from lib import sales

WIDTH, HEIGHT = 720, 400
LEFT, RIGHT, TOP, BOTTOM = 72, 24, 56, 48
CHARACTER = 7  # width of one in a label


def main() -> None:
    options = sales.parser(__doc__)
    options.add_argument("--column", choices=sales.NUMBERS, default="amount", help="default: amount")
    options.add_argument("--by", choices=sales.GROUPS, default="month", help="default: month")
    options.add_argument("--out", default="chart.svg", help="the file to write (default: chart.svg)")
    args = options.parse_args()
    sums = sales.totals(sales.load(args), args.column, args.by)
    title = f"{args.column.capitalize()} by {args.by}"
    sales.write(args.out, svg(title, sums))
    print(f"{title} (also drawn in {args.out})")
    print("\n".join(sales.text_bars(sums)))


def svg(title: str, sums: dict[str, float]) -> str:
    step = nice_step(max(sums.values()) / 6)
    top = step * max(1, math.ceil(max(sums.values()) / step))
    slot = (WIDTH - LEFT - RIGHT) / len(sums)
    label_every = math.ceil((max(map(len, sums)) * CHARACTER + 8) / slot)
    bar = min(slot * 0.64, 96)
    floor = HEIGHT - BOTTOM

    def y(value: float) -> float:
        return floor - (floor - TOP) * value / top

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        'font-family="system-ui, sans-serif" font-size="12" fill="#4a5160">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="30" font-size="17" font-weight="600" fill="#1d2230">{escape(title)}</text>',
    ]
    for tick in range(round(top / step) + 1):
        line = y(tick * step)
        parts.append(f'<path d="M{LEFT} {line:.1f}H{WIDTH - RIGHT}" stroke="#e3e6ec"/>')
        parts.append(f'<text x="{LEFT - 10}" y="{line + 4:.1f}" text-anchor="end">{tick * step:,.0f}</text>')
    for place, (key, value) in enumerate(sums.items()):
        middle = LEFT + slot * (place + 0.5)
        parts.append(
            f'<rect x="{middle - bar / 2:.1f}" y="{y(value):.1f}" width="{bar:.1f}" height="{floor - y(value):.1f}" '
            f'rx="3" fill="#4f5bd5"><title>{escape(key)}: {value:,.2f}</title></rect>'
        )
        if place % label_every == 0:
            parts.append(f'<text x="{middle:.1f}" y="{floor + 20}" text-anchor="middle">{escape(key)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def nice_step(rough: float) -> float:
    """The next 1, 2 or 5 with zeros, so that the axis reads in round numbers."""
    power = 10 ** math.floor(math.log10(rough)) if rough > 0 else 1
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough)


if __name__ == "__main__":
    main()
