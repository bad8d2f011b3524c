#!/usr/bin/env python3
"""Says what the sales table holds: rows, period, regions, products, totals, and its first rows."""

import json
import sys
from dataclasses import asdict

sys.dont_write_bytecode = True  # a skill folder holds what its author put there and nothing else
from lib import sales


def main() -> None:
    options = sales.parser(__doc__)
    options.add_argument("--limit", type=int, default=3, help="rows to show (default: 3)")
    args = options.parse_args()
    rows = sales.load(args)
    print(
        json.dumps(
            {
                "file": args.file,
                "rows": len(rows),
                "columns": sales.COLUMNS,
                "period": [min(row.date for row in rows), max(row.date for row in rows)],
                "regions": sorted({row.region for row in rows}),
                "products": sorted({row.product for row in rows}),
                "units": sum(row.units for row in rows),
                "amount": sales.rounded(sum(row.amount for row in rows)),
                "first_rows": [[asdict(row)[column] for column in sales.COLUMNS] for row in rows[: max(0, args.limit)]],
            },
            ensure_ascii=False,
        )
    )


if __name__ == "__main__":
    main()
