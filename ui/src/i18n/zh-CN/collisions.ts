import type { collisions as en } from "../en/collisions";
import type { Translation } from "../messages";

export const collisions: Translation<typeof en> = {
    "collisions.show": "相互争抢的技能",
    "collisions.showOf": "与它争抢的技能",
    "collisions.title": "争抢同一请求的技能",
    "collisions.request": "输入一个请求，看哪些技能含有其中的词",
    "collisions.count": "{n} 对，共比较 {of} 个技能",
    "collisions.asked": "含有此请求中词语的技能：{n}",
    "collisions.all": "当前只显示与 {name} 有关的，点击显示全部",
    "collisions.likely": "技能，最可能的在前",
    "collisions.shareWhy": "除去每个描述都有的词，两个描述共有的词占两者所有词的比例",
    "collisions.close": "过于相似",
    "collisions.words": "共有的词",
    "collisions.inSkills": "{of} 个描述中有 {n} 个含有它",
    "collisions.queries": "按各自的触发集，应同时触发两者：",
    "collisions.none": "没有相互争抢的技能",
    "collisions.noneHint": "{n} 个技能的描述共有的词太少，不会混淆。",
    "collisions.tooFew": "请至少打开两个技能再比较。",
    "collisions.nobody": "没有技能含有此请求中的词",
    "collisions.nobodyHint": "模型很可能一个也不会加载。",
    "collisions.more": "其余各对未列出。",
};
