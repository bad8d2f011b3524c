import type { extract as en } from "../en/extract";
import type { Translation } from "../messages";

export const extract: Translation<typeof en> = {
    "extract.show": "将所选内容提取为参考文件…",
    "extract.title": "提取为参考文件",
    "extract.text": "选中的各行会移到一个新文件，原处换成指向它的链接。其中的相对链接会随之调整。",
    "extract.go": "提取",
    "extract.ending": "名称必须以 .md 结尾。",
    "extract.nothing": "请先选中要提取的行。",
    "extract.onlyMarkdown": "只能从技能的 Markdown 文件中提取。",
    "extract.changed": "文本之后又有改动，请重新选择。",
    "extract.done": "已移到 {name}。",
};
