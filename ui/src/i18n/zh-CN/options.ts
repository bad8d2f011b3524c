import type { options as en } from "../en/options";
import type { Translation } from "../messages";

export const options: Translation<typeof en> = {
    "options.show": "选项",
    "options.why": "应用或用户可以为此框架设置的内容",
    "options.of": "{name} 的选项",
    "options.search": "查找选项",
    "options.none": "没有匹配的选项",
    "options.setHere": "文件中已设置",
    "options.default": "默认：{value}",
    "options.nothing": "无",
    "options.unset": "未设置",
    "options.reset": "恢复默认",
    "options.asDefault": "默认（{value}）",
    "options.yes": "是",
    "options.no": "否",
    "options.perLine": "每行一个",
    "options.asYaml": "以 YAML 书写",
    "options.unsaved": "尚未写入。它在这里、“对比”和框架列表中已经生效；运行只用已保存的文件。",
    "options.saved": "改动会立即在这里生效，由你决定何时写入。",
    "options.write": "写入 {name}",
    "options.undo": "撤销",
    "options.discard": "放弃",
    "options.written": "已写入 {path}",
    "options.file": "打开 {path}",
    "options.newFile": "将新建 {path}",
    "options.shadowed": "有多个项目文件时，以第一个的选项为准。未生效：{paths}",
};
