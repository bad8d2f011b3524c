/** 在所有运行中查找步骤，以及列表的筛选条件。 */
import type { search as en } from "../en/search";
import type { Translation } from "../messages";

export const search: Translation<typeof en> = {
    "search.label": "搜索所有运行",
    "search.help": "文字、“短语”和筛选条件，同一步骤须全部满足：{filters}",
    "search.count": "{n} 次运行匹配",
    "search.none": "没有匹配的内容。",
    "search.waiting": "正在建立索引：还剩 {n} 次运行…",
    "search.running": "有 {n} 次运行仍在进行，结束后才能搜到。",
    "search.more": "还有其他运行，请缩小范围。",
    "search.moreSteps": "此运行还有其他步骤",
    "search.step": "第 {step} 步",
    "search.kind.prompt": "提示词",
    "search.kind.answer": "回答",
    "search.kind.tool": "调用",
    "search.kind.note": "备注",
    "search.kind.end": "结束",
    "search.kind.system": "对话之前发送的内容",
    "search.clear": "显示所有运行",
    "search.anyHarness": "所有框架",
    "search.anyModel": "所有模型",
    "search.anySkill": "所有技能",
    "search.anyVerdict": "所有结论",
    "search.anyTime": "不限日期",
    "search.noVerdict": "尚无结论",
    "search.day": "最近 24 小时",
    "search.week": "最近 7 天",
    "search.month": "最近 30 天",
};
