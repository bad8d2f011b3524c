import type { outside as en } from "../en/outside";
import type { Translation } from "../messages";

export const outside: Translation<typeof en> = {
    "outside.reveal": "在文件管理器中显示",
    "outside.edit": "用外部编辑器打开",
    "outside.show": "外部编辑器…",
    "outside.title": "外部编辑器",
    "outside.text": "在此窗口之外打开文件和技能的程序。路径作为一个参数传给它，不经过 shell。",
    "outside.command": "命令",
    "outside.hint": "程序的名称或完整路径，以及参数。{path} 代表文件或文件夹；不写则路径放在最后。",
    "outside.found": "在本机找到",
    "outside.none": "在本机没有找到常见的编辑器。",
    "outside.keep": "保存",
    "outside.open": "保存并打开",
};
