import type { Folder } from "../../generated/api";

const BUNDLED = "/opt/skill-workbench/skills";
const OWN = "/home/ada/work/skills";

export const SAMPLE_FOLDERS: readonly Folder[] = [
    { path: BUNDLED, name: "skills", bundled: true, watched: true },
    { path: OWN, name: "skills", bundled: false, watched: true },
];

const UNIT_CONVERTER = `---
name: unit-converter
description: Convert between common units using a multiplication factor. Use when asked to convert miles, kilometers, pounds, or kilograms.
---

# Unit converter

Use this skill when the user asks to convert between units.

## Steps

1. Review the [conversion table](references/conversion-table.md) to find the correct factor.
2. Run **scripts/convert.py** with \`--value <value> --factor <factor>\`.
3. Present the result clearly with both units.

## Example

\`\`\`sh
python3 scripts/convert.py --value 26.2 --factor 1.60934
\`\`\`

> Always round to five decimals.
`;

const TABLE = `# Conversion table

| from | to | factor |
|---|---|---|
| miles | kilometers | 1.60934 |
| kilometers | miles | 0.621371 |
| pounds | kilograms | 0.453592 |
| kilograms | pounds | 2.20462 |
`;

const CONVERT = `# Converts a value with a multiplication factor.
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
`;

const TRANSLATOR = `---
name: translator
description: 将文本翻译成用户要求的语言，保留格式与术语。当用户要求翻译、润色译文或核对双语文本时使用。
license: MIT
---

# 翻译

先确认源语言与目标语言，再逐段翻译。

## 规则

- 保留 Markdown 结构、代码与链接。
- 术语按 \`references/术语表.md\` 统一。
- 不确定的地方用〔译注〕标出。

## 输出

只输出译文，不解释过程。
`;

const LOGS = `---
name: log-analyzer
description: Find errors and slow requests in server logs. Use when the user shares a log file or asks why a service is slow.
license: Apache-2.0
compatibility: Python 3.10 or newer
allowed-tools: Read Bash(python3:*)
metadata:
  author: ada
  version: "1.2"
---

# Log analyzer

## Find the window

Run \`scripts/window.py\` with the log.

## Report

List the five slowest requests.
`;

const BROKEN = `---
name: Excel_Report With A Very Long Name That Nobody Can Read In A Narrow List And That Exceeds Sixty Four
description:
---
`;

export const SAMPLE_FILES: Readonly<Record<string, string>> = {
    [`${BUNDLED}/translator/SKILL.md`]: TRANSLATOR,
    [`${BUNDLED}/translator/references/术语表.md`]: "# 术语表\n\n| 英文 | 中文 |\n|---|---|\n| skill | 技能 |\n| trace | 轨迹 |\n",
    [`${BUNDLED}/unit-converter/SKILL.md`]: UNIT_CONVERTER,
    [`${BUNDLED}/unit-converter/references/conversion-table.md`]: TABLE,
    [`${BUNDLED}/unit-converter/scripts/convert.py`]: CONVERT,
    [`${BUNDLED}/unit-converter/assets/logo.png`]: "png",
    [`${OWN}/log-analyzer/SKILL.md`]: LOGS,
    [`${OWN}/log-analyzer/scripts/window.py`]: "import sys\n\nprint(sys.argv)\n",
    [`${OWN}/log-analyzer/data.json`]: '{\n  "limit": 5,\n  "slow": true\n}\n',
    [`${OWN}/excel-report/SKILL.md`]: BROKEN,
    [`${OWN}/excel-report/assets/template.bin`]: "\u0000\u0001",
    [`${OWN}/customer-interview-summaries-for-product-teams/SKILL.md`]: "# Interview summaries\n\nThis one forgot its frontmatter.\n",
};
