/** 录下的调用与现在的技能。 */
import type { check as en } from "../en/check";
import type { Translation } from "../messages";

export const check: Translation<typeof en> = {
    "check.open": "对照现在的技能检查",
    "check.title": "录下的调用与现在的技能",
    "check.over": "{harness}，基于 {roots}",
    "check.played": "与重放的运行比较。",
    "check.served": "没有询问模型，也没有运行或写入任何东西。",
    "check.same": "相同",
    "check.changed": "有变化",
    "check.unresolved": "不再可用",
    "check.notRun": "未运行",
    "check.refused": "未运行；没有人允许",
    "check.unchecked": "未检查",
    "check.skillSame": "其技能与当时完全一致。",
    "check.skillChanged": "其技能已有改动。",
    "check.good": "结果都没有变化",
    "check.bad": "{n} 个调用的结果不同了",
    "check.refusedAll": "{n} 个调用没有运行，因为没有人允许",
    "check.none": "这次运行没有调用工具，无可检查。",
    "check.scripts": "连同脚本重放",
    "check.scriptsWhy": "按记录重放这次运行。脚本和命令照常运行，运行前照常征得你的同意。",
    "check.look": "查看差异",
    "check.step": "第 {step} 步",
    "check.goTo": "打开这一步",
    "check.differs": "新增的内容加下划线，录制时有而现在没有的加删除线。",
};
