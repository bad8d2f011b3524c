# Converts a value with a multiplication factor.
import argparse
import json


def main() -> None:
    parser = argparse.ArgumentParser(description="Convert a value.")
    parser.add_argument("--value", type=float, required=True)
    parser.add_argument("--factor", type=float, required=True)
    args = parser.parse_args()
    print(json.dumps({"value": args.value, "result": round(args.value * args.factor, 4)}))


if __name__ == "__main__":
    main()
