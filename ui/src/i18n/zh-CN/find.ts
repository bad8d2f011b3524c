import type { find as en } from "../en/find";
import type { Translation } from "../messages";

export const find: Translation<typeof en> = {
    "find.title": "在所有技能中查找",
    "find.show": "在所有技能中查找…",
    "find.label": "任一技能任一文件中的文本",
    "find.matchCase": "区分大小写",
    "find.wholeWords": "全字匹配",
    "find.regex": "正则表达式",
    "find.count": "{n} 处，{files} 个文件",
    "find.more": "只列出前 {n} 处。缩小范围可查看其他位置。",
    "find.moreInFile": "此文件的前 {n} 处",
    "find.looked": "已搜索 {n} / {of} 个文件…",
    "find.tooLarge": "{n} 个文件超过 {most} MiB，未搜索",
    "find.begin": "输入要查找的内容",
    "find.beginText": "查找范围包括 SKILL.md、参考文件、脚本及其他所有文本文件。未保存的文本也算在内。",
    "find.none": "没有找到",
    "find.noneText": "{n} 个文件中都没有。",
    "find.places": "找到的位置",
    "find.unsaved": "未保存的文本",
    "find.next": "下一个找到的位置",
    "find.previous": "上一个找到的位置",
};
