#!/usr/bin/env python3
"""Calculates sum, mean, median, spread and quartiles of a column, as a whole or for each month, region or product."""

import json
import sys

sys.dont_write_bytecode = True  # a skill folder holds what its author put there and nothing else
from lib import sales


def main() -> None:
    options = sales.parser(__doc__)
    options.add_argument("--column", choices=sales.NUMBERS, default="amount", help="default: amount")
    options.add_argument("--by", choices=sales.GROUPS, help="one set of figures for each of these")
    args = options.parse_args()
    rows = sales.load(args)
    result = {"column": args.column, "all": sales.describe([getattr(row, args.column) for row in rows])}
    if args.by:
        result[f"by_{args.by}"] = {
            key: sales.describe([getattr(row, args.column) for row in rows if getattr(row, args.by) == key])
            for key in sorted({getattr(row, args.by) for row in rows})
        }
    print(json.dumps(result, ensure_ascii=False))


if __name__ == "__main__":
    main()
