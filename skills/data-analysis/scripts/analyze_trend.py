#!/usr/bin/env python3
"""Fits a line to the monthly totals of a column and says where they are heading."""

import json
import sys

sys.dont_write_bytecode = True  # a skill folder holds what its author put there and nothing else
from lib import sales


def main() -> None:
    options = sales.parser(__doc__)
    options.add_argument("--column", choices=sales.NUMBERS, default="amount", help="default: amount")
    args = options.parse_args()
    trend = sales.trend(sales.load(args), args.column)
    print(
        json.dumps(
            {
                "column": args.column,
                "direction": trend.direction,
                "slope_per_month": trend.slope,
                "r_squared": trend.r_squared,
                "first_to_last_percent": trend.change,
                "best_month": trend.best,
                "worst_month": trend.worst,
                "monthly_totals": trend.totals,
            },
            ensure_ascii=False,
        )
    )


if __name__ == "__main__":
    main()
