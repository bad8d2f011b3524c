/** 人对一次运行的评价。 */
import type { review as en } from "../en/review";
import type { Translation } from "../messages";

export const review: Translation<typeof en> = {
    "review.note": "你的批注",
    "review.add": "添加批注",
    "review.edit": "编辑",
    "review.delete": "删除",
    "review.save": "保存",
    "review.cancel": "取消",
    "review.bookmark": "给这一步加书签",
    "review.bookmarked": "已加书签",
    "review.nextMark": "下一处批注或书签",
    "review.noteDeleted": "批注已删除",
    "review.verdict": "结论",
    "review.verdictTitle": "你对这次运行的结论",
    "review.pass": "通过",
    "review.fail": "不通过",
    "review.unsure": "不确定",
    "review.line": "一行理由",
    "review.remove": "移除结论",
    "review.verdictDeleted": "结论已移除",
};
