//! The arguments with their help in the current language. The English texts are where arguments are declared; the
//! Chinese ones are here, in one table that a test holds against every command and argument.

use std::fmt::Write;
use std::num::{IntErrorKind, ParseIntError};

use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use clap::{Arg, ArgAction, Command, CommandFactory};
use wording::Language;

use crate::Cli;

pub fn command(language: Language) -> Command {
    match language {
        Language::English => Cli::command(),
        Language::Chinese => {
            let mut command = chinese(Cli::command(), &mut Vec::new());
            // Only then it has the command `help`, everywhere.
            command.build();
            help_of_help(command)
        }
    }
}

/// clap makes the command `help` itself, with English texts.
fn help_of_help(mut command: Command) -> Command {
    let below: Vec<String> = command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    for name in below {
        command = command.mut_subcommand(&name, |command| match name.as_str() {
            "help" => command.about("显示说明；写出命令则显示该命令的说明").help_template(TEMPLATE_OF_HELP),
            _ => help_of_help(command),
        });
    }
    command
}

/// clap's errors in the current language. Help and versions are translated already.
pub fn error(error: &Error, language: Language) -> Option<String> {
    if language == Language::English || error.exit_code() == 0 {
        return None;
    }
    let context = |kind| match error.get(kind)? {
        ContextValue::String(text) => Some(text.clone()),
        ContextValue::Strings(texts) => Some(texts.join("、")),
        ContextValue::StyledStr(text) => Some(text.to_string()),
        ContextValue::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let argument = context(ContextKind::InvalidArg).unwrap_or_default();
    let value = context(ContextKind::InvalidValue).unwrap_or_default();
    let other = context(ContextKind::PriorArg).unwrap_or_default();
    let what = match error.kind() {
        ErrorKind::UnknownArgument => format!("没有参数 {argument}"),
        ErrorKind::InvalidValue if value.is_empty() => format!("{argument} 缺少值"),
        ErrorKind::InvalidValue => format!("{argument} 不接受值“{value}”"),
        ErrorKind::ValueValidation => {
            let why = std::error::Error::source(error).map(|why| format!("：{}", reason(why))).unwrap_or_default();
            format!("{argument} 的值“{value}”无效{why}")
        }
        ErrorKind::MissingRequiredArgument => format!("缺少参数：{argument}"),
        ErrorKind::ArgumentConflict if other.is_empty() => format!("{argument} 不能与其他参数一起使用"),
        ErrorKind::ArgumentConflict if other == argument => format!("{argument} 只能出现一次"),
        ErrorKind::ArgumentConflict => format!("{argument} 不能与 {other} 一起使用"),
        ErrorKind::InvalidSubcommand => {
            format!("没有命令 {}", context(ContextKind::InvalidSubcommand).unwrap_or_default())
        }
        ErrorKind::MissingSubcommand => "缺少子命令".to_owned(),
        ErrorKind::TooManyValues => format!("{argument} 的值太多：{value}"),
        ErrorKind::TooFewValues | ErrorKind::WrongNumberOfValues => format!("{argument} 的值的个数不对"),
        ErrorKind::NoEquals => format!("{argument} 的值须写在 = 之后"),
        ErrorKind::InvalidUtf8 => "参数不是有效的 UTF-8".to_owned(),
        _ => return None,
    };
    let mut text = format!("错误：{what}\n");
    if let Some(valid) = context(ContextKind::ValidValue).filter(|valid| !valid.is_empty()) {
        let _ = writeln!(text, "  可选值：{valid}");
    }
    let suggested = [ContextKind::SuggestedArg, ContextKind::SuggestedValue, ContextKind::SuggestedSubcommand];
    if let Some(near) = suggested.into_iter().find_map(context) {
        let _ = writeln!(text, "\n  提示：是否想写 {near}？");
    }
    if let Some(usage) = context(ContextKind::Usage) {
        let _ = writeln!(text, "\n{}", usage.replacen("Usage:", "用法：", 1));
    }
    text.push_str("\n更多说明见 --help。\n");
    Some(text)
}

/// Why a value was not accepted. Our own messages are Chinese already; the rest is about numbers.
fn reason(why: &(dyn std::error::Error + 'static)) -> String {
    if let Some(error) = why.downcast_ref::<ParseIntError>() {
        return match error.kind() {
            IntErrorKind::PosOverflow | IntErrorKind::NegOverflow => "数字太大",
            _ => "应为整数",
        }
        .to_owned();
    }
    let text = why.to_string();
    match text.split_once(" is not in ") {
        Some((_, range)) => format!("须在 {} 之间", range.replace("..=", " 到 ")),
        None => text,
    }
}

/// `path`: the names of the commands above, without the program's own.
fn chinese(command: Command, path: &mut Vec<String>) -> Command {
    let place = path.join(" ");
    let subcommands: Vec<String> = command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let mut command = command
        .disable_help_flag(true)
        .arg(Arg::new("help").short('h').long("help").action(ArgAction::Help).help("显示帮助"))
        .subcommand_help_heading("命令")
        .help_template(if subcommands.is_empty() { TEMPLATE } else { TEMPLATE_WITH_COMMANDS });
    if place.is_empty() {
        command = command
            .disable_version_flag(true)
            .arg(Arg::new("version").short('V').long("version").action(ArgAction::Version).help("显示版本"));
    }
    if let Some(about) = text(&place, None) {
        command = command.about(about).long_about(None);
    }
    command = command.mut_args(|argument| {
        let id = argument.get_id().to_string();
        let heading = if argument.is_positional() { "参数" } else { "选项" };
        let Some(help) = text(&place, Some(&id)) else { return argument.help_heading(heading) };
        let (short, long) = with_values(&argument, help);
        let takes_values = argument.get_action().takes_values();
        let argument = argument.help_heading(heading).help(short).long_help(long);
        if takes_values { argument.hide_default_value(true).hide_possible_values(true) } else { argument }
    });
    for name in subcommands {
        path.push(name.clone());
        command = command.mut_subcommand(&name, |command| chinese(command, path));
        path.pop();
    }
    command
}

const TEMPLATE: &str = "{about-with-newline}\n用法：{usage}\n\n{all-args}{after-help}";
const TEMPLATE_WITH_COMMANDS: &str =
    "{about-with-newline}\n用法：{usage}\n\n{all-args}{after-help}\n\n用 `skillbench 命令 --help` 查看一个命令的说明。";

const TEMPLATE_OF_HELP: &str = "{about-with-newline}\n用法：{usage}";

/// The help with what clap itself would say in English: the values that can be chosen, and the one without any.
fn with_values(argument: &Arg, help: &str) -> (String, String) {
    let (mut short, mut long) = (help.to_owned(), help.to_owned());
    if argument.get_action().takes_values() {
        let values = argument.get_possible_values();
        let shown: Vec<_> = values.iter().filter(|value| !value.is_hide_set()).collect();
        if !shown.is_empty() {
            let names: Vec<&str> = shown.iter().map(|value| value.get_name()).collect();
            let _ = write!(short, " [可选值：{}]", names.join("、"));
            long.push_str("\n\n可选值：");
            for value in shown {
                let means = VALUES.iter().find(|(name, _)| *name == value.get_name()).map(|(_, means)| *means);
                let _ = write!(
                    long,
                    "\n- {}{}",
                    value.get_name(),
                    means.map(|text| format!("：{text}")).unwrap_or_default()
                );
            }
        }
        let default: Vec<_> = argument.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
        if !default.is_empty() {
            let default = default.join("、");
            let _ = write!(short, " [默认：{default}]");
            let _ = write!(long, "\n\n[默认：{default}]");
        }
    }
    (short, long)
}

/// The Chinese text of a command, or of an argument of it; what several commands take alike is under `*`.
fn text(command: &str, argument: Option<&str>) -> Option<&'static str> {
    let find = |command: &str| {
        let found = TEXTS.iter().find(|(place, id, _)| *place == command && *id == argument.unwrap_or_default());
        found.map(|(_, _, text)| *text)
    };
    find(command).or_else(|| argument.and_then(|_| find("*")))
}

/// Command, argument (empty: the command itself), text.
#[rustfmt::skip]
const TEXTS: &[(&str, &str, &str)] = &[
    ("", "", "查看智能体框架让模型看到你的技能的哪些内容，并运行技能"),
    ("list", "", "框架加载了哪些技能，以及为何略过其余的"),
    ("inspect", "", "框架实际发送的指令和工具，逐字不差；多个框架则并排显示"),
    ("collisions", "", "哪些技能争抢同一请求，以及它们共有的词：若有两个几乎相同，或某个查询应同时触发两者，则退出码为 1"),
    ("collisions", "roots", "技能文件夹"),
    ("collisions", "request", "用户说的话：列出含有其中词语的技能，最可能的在前"),
    ("find", "", "在技能的所有文件中查找一段文本，并给出位置：若都没有，则退出码为 1"),
    ("find", "text", "要查找的内容"),
    ("find", "roots", "技能文件夹"),
    ("find", "match_case", "区分大小写"),
    ("find", "whole_words", "只找整词"),
    ("find", "regex", "TEXT 是正则表达式，其中 `^` 和 `$` 指行首与行尾"),
    ("history", "", "一个文件较早的文本：在窗口中保存过的，以及 git 中的"),
    ("history", "file", "技能中的一个文件"),
    ("history", "version", "显示自该版本以来的改动：版本标识的开头，或 HEAD"),
    ("history", "restore", "把该版本写回文件。现在的文本会留在历史中"),
    ("card", "", "各方看到一个技能的哪些内容：每个框架和客户端是否列出它、用哪些文字，以及原因"),
    ("card", "skill", "一个技能的文件夹；同一文件夹中的其他技能也计入列表的长度"),
    ("pack", "", "把技能写成一个文件，以便分享"),
    ("pack", "skill", "一个技能的文件夹"),
    ("pack", "output", "写入位置；不指定时写在当前文件夹，以技能名称命名，扩展名为 `.skill`"),
    ("unpack", "", "从这样的文件中导入技能；可先用 --look 查看"),
    ("unpack", "file", "`.skill` 或 `.zip` 文件"),
    ("unpack", "into", "技能放入的文件夹"),
    ("unpack", "name", "文件中只有一个技能时，为它另取名称，SKILL.md 中的名称也随之更改"),
    ("unpack", "look", "只显示其内容和规则检查的结果，不写入任何文件"),
    ("call", "", "不用模型，在一个会话中依次执行文件里的工具调用"),
    ("lint", "", "磁盘上的技能有哪些问题，以及框架自身的行为会在哪里造成损失；没有错误（警告不算）时退出码为 0，有错误时为 1"),
    ("rules", "", "`lint` 依据的规则，或其中一条的全部说明"),
    ("lsp", "", "在编辑器中边输入边检查：使用标准输入输出的语言服务器"),
    ("run", "", "运行一个提示词，并录成轨迹；多个框架时，在每个框架下排练同一场景"),
    ("trace", "", "录制的运行"),
    ("trace list", "", "所有运行，最新的在前"),
    ("trace search", "", "按文字和筛选条件查找所有运行中的步骤：有匹配时退出码为 0，没有时为 1"),
    ("trace note", "", "一个步骤上的批注或书签；不写文字则显示已有的"),
    ("trace verdict", "", "你对一次运行的结论；不写则显示已有的"),
    ("trace show", "", "一次运行的各个步骤"),
    ("trace step", "", "一个步骤，以及模型当时的上下文"),
    ("trace diff", "", "按步骤对齐的两次运行"),
    ("trace tree", "", "从某次运行分叉出的运行，以及它所来自的运行"),
    ("trace align", "", "同一场景的多次运行，逐步并排"),
    ("trace files", "", "一次运行新建、修改和删除的文件，以及技能是否保持原样"),
    ("trace check", "", "不用模型，对照现在的技能检查一次运行录下的调用：结果全部相同时退出码为 0，有变化或不再可用时为 1；无法检查的调用会列出，但不计入"),
    ("trace pin", "", "固定一次运行：无论如何设置旧运行的去留，都保留它"),
    ("trace unpin", "", "取消固定，与其他运行同样对待"),
    ("trace delete", "", "删除一次运行，连同它写出的文件、批注和结论"),
    ("trace keep", "", "保留哪些运行；不写选项则显示现有设置。窗口在打开时移除其余的运行"),
    ("trace prune", "", "按设置或以下选项移除不再保留的运行，并释放磁盘空间"),
    ("trace import", "", "从文件导入运行：由 `export` 写出的，或由其他程序录制的"),
    ("trace export", "", "将一次运行写到标准输出或文件"),
    ("trace push", "", "将一次运行作为 OpenTelemetry span，以 HTTP 上的 OTLP 发送到追踪后端"),
    ("trust", "", "你自己的文件夹之外、允许项目读取的文件夹"),
    ("trust list", "", "受信任的位置，以及这些文件夹中的项目想要读取的位置"),
    ("trust add", "", "允许所有项目读取一个文件夹或文件，并展示给模型"),
    ("trust remove", "", "不再信任它"),
    ("approvals", "", "保存的决定：技能始终可以或始终不得运行什么"),
    ("approvals list", "", "所有决定；技能有改动的会注明"),
    ("approvals allow", "", "此技能在内容不变期间，可在沙箱中运行而不再询问"),
    ("approvals never", "", "此技能无论在哪个项目中都不得运行"),
    ("approvals revoke", "", "撤销决定，之后重新询问"),
    ("*", "folder", "技能的文件夹"),
    ("*", "program", "脚本还是命令；不写则两者都包括"),
    ("models", "", "`run` 可用的模型，及其设置和密钥"),
    ("models presets", "", "`add --preset` 认识的提供商和服务器，或其中一个的全部说明"),
    ("models add", "", "将一个模型写入 models.yaml"),
    ("models set", "", "修改 models.yaml 中的一个模型；没有写出的设置保持不变"),
    ("models remove", "", "从 models.yaml 中移除一个模型"),
    ("models show", "", "models.yaml 中的一个模型"),
    ("models names", "", "已配置模型所在的服务器列出的模型"),
    ("models check", "", "报告缺少密钥的模型，以及名称和价格已过时的预设；不发送任何内容"),
    ("models test", "", "逐步检查一个模型能否使用：会向它提几个小问题"),
    ("models key", "", "存放在系统密钥环中的密钥"),
    ("models key set", "", "存入一个模型的密钥：输入时不显示，也可从标准输入读取"),
    ("models key delete", "", "删除一个模型的密钥"),
    ("harnesses", "", "框架及其变体"),
    ("*", "lang", "输出所用的语言；不写则依 LC_ALL、LC_MESSAGES 或 LANG"),
    ("*", "help", "显示帮助"),
    ("*", "version", "显示版本"),
    ("*", "format", "结果的输出形式"),
    ("*", "roots", "存放技能的文件夹，或单个技能的文件夹"),
    ("*", "harness", "按哪个框架的行为（见 `skillbench harnesses`）；指定变体时写作 `agent-framework@python-1.23`。`inspect` 和 `run` 可写多个，以逗号分隔；`all`（或 `frameworks`）为每个框架的默认变体，`every` 为每个框架的所有变体，`clients` 为每个客户端。不写则用 workbench.yaml 中的 `harness`，否则用 agent-framework"),
    ("*", "variant", "框架的哪个变体；不写则取列出的第一个"),
    ("*", "run", "运行的 id、id 的开头，或 `last`"),
    ("*", "id", "模型的 id"),
    ("inspect", "cwd", "告知框架的工作目录"),
    ("inspect", "neutral_paths", "把技能显示在 `/skills`、把工作目录显示为 `/workspace`，与使用中性路径的运行一致。默认为 workbench.yaml 中的 `neutralPaths`"),
    ("inspect", "count_with", "另外向此模型（见 `skillbench models`）的提供商查询首个请求以及技能全部内容的 token 数。会把它们的文本发送给提供商。可以查询的有 Anthropic、经 Responses 协议的 OpenAI 和 Amazon Bedrock"),
    ("inspect", "prompt", "--count-with 所查询的请求中用户说的话；不写则用一小段文字代替"),
    ("call", "calls", "JSON：[{\"name\": …, \"arguments\": {…} 或 \"原始字符串\"}, …]；`-` 读取标准输入"),
    ("call", "allow_scripts", "真正运行脚本；不写则脚本一律算作失败"),
    ("run", "model", "使用哪个模型（见 `skillbench models`）；`rehearsal` 无需密钥和网络。`recorded:RUN` 重放一次已录制运行的回答。不写则用 workbench.yaml 中的 `model`，否则用 rehearsal"),
    ("run", "goes_on", "接着一次已结束的运行继续，框架不变；除非另行指定，模型也不变。写运行的 id、id 的开头，或 `last`。各项上限对整个运行有效。由其他程序录制的运行需要 --harness 和 --model"),
    ("run", "fork", "以一次已录制运行在某一步之前的内容开始一次新的运行，并从那里走另一条路。写运行的 id、id 的开头，或 `last`。之前的内容不会重做，也不花费用；除非另行指定，框架和模型不变"),
    ("run", "at", "与 --fork 一起使用：重做的那一步，从 1 开始，与 `trace show` 的编号一致。配合 --prompt：若是提示词，则以此文字代替；若是其他步骤，则为你在其后所说的话"),
    ("run", "result", "与 --fork 一起使用：该步骤所对应的工具调用的结果；`@FILE` 从文件读取"),
    ("run", "answer", "与 --fork 一起使用：该步骤所对应的模型回答的文字；`@FILE` 从文件读取。回答中的工具调用会照常执行；若没有调用，这一轮到此结束，--prompt 为用户接下来说的话"),
    ("run", "sandbox", "脚本和命令如何运行：只在沙箱中运行，否则不运行（`require`）；本机有沙箱则用沙箱（`prefer`）；或以你自己的权限运行（`off`）。默认为 workbench.yaml 中的 `sandbox`，否则为 `prefer`"),
    ("run", "neutral_paths", "向模型和所运行的内容把技能显示在 `/skills`、把运行的文件夹显示在 `/workspace`，使运行不依赖这台机器，也不透露你的名字。此时脚本和命令需要 bubblewrap。默认为 workbench.yaml 中的 `neutralPaths`"),
    ("run", "prompt", "用户的提示词；默认为 `--screenplay` 中的提示词，与 `--model recorded:RUN` 一起使用时，默认为当时的提示词"),
    ("run", "image", "随提示词附上的图片：PNG、JPEG、GIF 或 WebP；可以写多次"),
    ("run", "screenplay", "排练模型的剧本；不写则用技能旁与此提示词相符的剧本"),
    ("run", "approve", "在运行或写入任何内容之前：在终端上询问、一律不允许，或一律允许。无人可问时，`ask` 会拒绝"),
    ("run", "network", "允许本次运行中执行的内容使用网络；项目文件不能这样设置"),
    ("run", "fidelity", "框架会读取你的文件夹之外的内容时，仅在本次运行中允许它读取；不写则拒绝，并在运行中注明。密钥和程序存放在主目录中的内容始终不可读。项目文件不能这样设置；继续或分叉的运行沿用此设置"),
    ("run", "turns", "模型请求的次数上限"),
    ("run", "max_tokens_total", "所有请求和回答的 token 总数上限"),
    ("run", "max_seconds", "秒数上限，不计等待你批准的时间"),
    ("run", "max_cost", "费用上限（美元），按 models.yaml 中该模型的 `prices` 计算"),
    ("trace list", "filters", "只列出匹配的运行；写法同 `search`，例如 harness:eino model:名称 skill:名称 verdict:fail since:7d"),
    ("trace search", "query", "文字、“短语”和筛选条件，同一步骤须全部满足：kind:tool status:error tool:名称 skill:名称 dur:>500ms cost:>0.01 tokens:>1000 harness:eino model:名称 verdict:fail since:7d until:2026-01-31。请给查询加引号：`>` 在 shell 中另有含义"),
    ("trace note", "step", "步骤，从 1 开始；不写则显示此运行的全部批注"),
    ("trace note", "text", "批注，替换已有的"),
    ("trace note", "bookmark", "给步骤加书签"),
    ("trace note", "no_bookmark", "移除书签"),
    ("trace note", "delete", "移除批注和书签"),
    ("trace verdict", "verdict", "不写则显示已有的结论"),
    ("trace verdict", "line", "一行理由"),
    ("trace verdict", "delete", "移除结论"),
    ("trace delete", "force", "即使已固定也删除"),
    ("trace keep", "days", "保留最近 N 天的运行"),
    ("trace keep", "gb", "保留总共不超过 N GB 的最新运行，包括它们写出的文件"),
    ("trace keep", "reviewed", "有结论、批注或书签的运行也移除"),
    ("trace prune", "days", "保留最近 N 天的运行"),
    ("trace prune", "gb", "保留总共不超过 N GB 的最新运行，包括它们写出的文件"),
    ("trace prune", "reviewed", "有结论、批注或书签的运行也移除"),
    ("trace keep", "all", "保留所有运行"),
    ("trace prune", "dry_run", "只列出，不移除"),
    ("trace step", "step", "从 1 开始，与 `show` 和窗口的编号一致"),
    ("trace diff", "a", "第一次运行"),
    ("trace diff", "b", "第二次运行"),
    ("trace align", "runs", "要并排的运行"),
    ("trace files", "save_to", "将它们保存到此文件夹之下；已有的文件只有在你同意后才会被替换"),
    ("trace files", "replace", "与 --save-to 一起使用：替换已有的文件"),
    ("trace check", "roots", "技能所在的文件夹；默认是运行时所用的文件夹，来自别处的运行则用已打开的文件夹"),
    ("trace check", "scripts", "也运行脚本和命令：按记录重放这次运行，并另录为一次运行"),
    ("trace check", "approve", "与 --scripts 一起使用：运行或写入之前，在终端询问、一律不允许，或一律允许"),
    ("trace check", "sandbox", "与 --scripts 一起使用：同 `run`"),
    ("trace import", "file", "`-` 读取标准输入"),
    ("trace import", "from", "文件属于哪个程序或协议；不写则根据内容判断"),
    ("trace export", "redact", "与 --format html 一起使用：要去除的内容；不写则去除找到的全部"),
    ("trace export", "output", "改为写入这个文件；剧本的图片成为它旁边的文件"),
    ("trace push", "to", "后端的地址；不写则用 models.yaml 的 `otlp.endpoint`。与之不同的服务器得不到密钥"),
    ("trace push", "contents", "是否发送提示词、回答、参数和结果；不写则按 models.yaml"),
    ("trace push", "skills", "是否发送草案中的 gen_ai.skill.* 属性；不写则按 models.yaml"),
    ("trace push", "redact", "要去除的内容；不写则去除找到的全部"),
    ("trust add", "path", "文件夹或文件"),
    ("trust remove", "path", "文件夹或文件"),
    ("lint", "paths", "技能文件夹（一个或多个技能），或文件（代表其所属的技能，取仓库中最外层的）；`-` 从标准输入读取一个 SKILL.md 并单独检查"),
    ("lint", "format", "问题的输出形式"),
    ("lint", "profile", "用哪些规则：spec（规范的验证器所拒绝的）、recommended（几乎总是对的）、security（可能造成损害的）或 all（全部）；默认为 workbench.yaml 中的 `lint.profile`"),
    ("lint", "select", "只用这些规则或规则组，以逗号分隔（见 `skillbench rules`）"),
    ("lint", "ignore", "不用这些规则或规则组"),
    ("lint", "no_project_settings", "不理会 workbench.yaml 中关于规则和客户端的设置，也不理会 `lint-ignore` 注释：用于检查你不信任的内容"),
    ("lint", "quiet", "不显示提示；写两次则警告也不显示"),
    ("lint", "max_warnings", "警告多于 N 个时以 1 退出"),
    ("lint", "fix", "写入安全的修复，然后报告剩下的问题"),
    ("lint", "unsafe_fixes", "与 --fix 或 --diff 一起使用：也包括需要检查的修复"),
    ("lint", "diff", "以统一 diff 格式显示 --fix 会写入的内容，但不写入；有内容时以 1 退出"),
    ("lint", "baseline", "略去此文件中已有的问题，并报告其中哪些已不再出现"),
    ("lint", "write_baseline", "将问题写入基线，而不显示"),
    ("lint", "probe", "在沙箱（bubblewrap）中以 `--help` 运行每个脚本，并评判其行为；没有沙箱则都不运行"),
    ("lint", "only_skills", "不提不属于任何技能的文件：用于把每个更改过的文件都列出的钩子"),
    ("lint", "no_cache", "检查全部内容，包括上次检查后没有更改的技能，并且不为下次保留结果"),
    ("lint", "watch", "文件有更改时重新检查；Ctrl-C 结束，退出码为最后一次检查的"),
    ("lint", "harness", "同时报告这些框架的特异行为（与 `inspect` 相同），代号为 HARNESS/QUIRK；默认为 workbench.yaml 中的 `harness`"),
    ("lint", "stdin_path", "与 `-` 一起使用：文本将保存在哪里；不写则为当前文件夹，且除非其中有 SKILL.md，否则文件夹名不参与检查"),
    ("rules", "id", "一条规则的全部说明，或一组规则"),
    ("lsp", "_stdio", "使用标准输入输出；总是如此，许多编辑器会写上它"),
    ("models presets", "id", "预设的名称"),
    ("models add", "id", "在 `run --model` 中使用的名称"),
    ("models set", "rename", "将模型改名为 ID"),
    ("*", "tokenizer", "用什么计算 token 数；默认为窗口中选定的，否则为 o200k_base。规则和记录的运行始终用 o200k_base"),
    ("*", "preset", "以一个提供商的地址、密钥和价格为起点（见 `skillbench models presets`）"),
    ("*", "fill", "预设地址中 `{NAME}` 的值"),
    ("*", "model", "提供商对模型的称呼"),
    ("*", "provider", "该地址使用的协议"),
    ("*", "base_url", "地址，不含协议自己添加的部分，例如 `/chat/completions`"),
    ("*", "key_aws", "用此 AWS 配置文件的访问密钥给请求签名（仅限 `bedrock`）"),
    ("*", "key_env", "密钥在此环境变量中"),
    ("*", "key_keyring", "密钥在系统的密钥环中，以此名称存放，默认为模型的 id（见 `skillbench models key set`）"),
    ("*", "key_command", "由此程序输出密钥：用其后的参数启动，不经过 shell；必须放在最后"),
    ("*", "key_lifetime", "命令输出的密钥使用多少秒；默认 300"),
    ("*", "no_key", "服务器不需要密钥"),
    ("*", "key_header", "携带密钥的请求头，代替协议自己的"),
    ("*", "header", "添加一个请求头；值为空则移除它。不要用于密钥"),
    ("*", "body", "在每次请求的正文中添加一个字段，值为 JSON 或纯文本；值为空则移除它"),
    ("*", "context", "上下文窗口的 token 数；0 表示未知"),
    ("*", "price_in", "每百万输入 token 的美元价格"),
    ("*", "price_out", "每百万输出 token 的美元价格"),
    ("*", "price_cached", "每百万从提供商缓存读取的输入 token 的美元价格"),
    ("*", "price_cache_written", "每百万写入提供商缓存的输入 token 的美元价格"),
    ("*", "no_prices", "价格未知"),
    ("*", "stream", "流式接收回答"),
    ("*", "no_stream", "一次性接收回答"),
    ("*", "tools", "模型能调用工具"),
    ("*", "no_tools", "模型不会用工具，也不告诉它有工具"),
    ("*", "images", "模型能看图片和文件"),
    ("*", "no_images", "模型看不了图片；每张图片改为一行文字，说明略去了什么"),
    ("*", "temperature", "回答的随机程度，用于框架没有指定时"),
    ("*", "max_tokens", "一次回答的 token 上限，用于框架没有指定时"),
    ("*", "effort", "思考深度；并非每个模型都接受所有取值，`auto` 由提供商决定"),
    ("*", "thoughts", "回答是否附带思考摘要；chat completions 没有这项设置"),
    ("*", "connect_timeout", "建立连接的秒数上限"),
    ("*", "idle_timeout", "回答的两段之间的秒数上限"),
    ("*", "total_timeout", "整个回答的秒数上限"),
    ("*", "retries", "服务器繁忙或无法连接时，请求最多重试几次，0 到 10"),
    ("*", "longest_wait", "重试前最多等待的秒数；服务器要求等得更久时不再重试"),
];

/// What the values of arguments mean.
const VALUES: &[(&str, &str)] = &[
    ("true", "是"),
    ("false", "否"),
    ("en", "英文"),
    ("zh", "中文"),
    ("text", "供人阅读"),
    ("json", "供程序使用"),
    ("sarif", "SARIF 2.1.0，用于代码扫描"),
    ("github", "GitHub Actions 的标注"),
    ("ask", "询问"),
    ("never", "一律不允许"),
    ("always", "一律允许"),
    ("require", "只在沙箱中运行"),
    ("prefer", "有沙箱则用沙箱"),
    ("off", "以你自己的权限运行"),
    ("scripts", "技能的脚本"),
    ("commands", "在有此技能的运行中由模型发出的命令"),
    ("jsonl", "每行一个事件，与存储的相同"),
    ("screenplay", "可用来排练此次运行的剧本"),
    ("openai", "整个对话，写成一行 OpenAI chat completions 请求"),
    ("inspect", "inspect_ai 的日志，JSON 格式"),
    ("markdown", "供阅读的文档"),
    ("source", "此运行的导入来源文件，逐行不变"),
    ("svg", "不依赖任何其他内容的图片"),
    ("html", "可在任何浏览器中离线回放此运行的页面"),
    ("keys", "像密钥的内容"),
    ("pass", "通过"),
    ("fail", "不通过"),
    ("unsure", "不确定"),
    ("homes", "主文件夹"),
    ("emails", "电子邮件地址"),
    ("none", "无"),
    ("auto", "由提供商决定"),
    ("minimal", "极低"),
    ("low", "低"),
    ("medium", "中"),
    ("high", "高"),
    ("xhigh", "很高"),
    ("max", "最高"),
    ("shown", "显示"),
    ("hidden", "隐藏"),
    ("yes", "发送"),
    ("no", "不发送"),
    ("openai-chat", "OpenAI chat completions：请求或消息，每行一个或写成列表"),
    ("openai-responses", "OpenAI Responses：请求及其回答，或各个条目"),
    ("anthropic-messages", "Anthropic Messages"),
    ("claude-code", "Claude Code 的会话（`~/.claude/projects`）"),
    ("codex", "Codex 的 rollout 文件（`~/.codex/sessions`）"),
    ("otlp", "JSON 或 protobuf 格式的 OpenTelemetry span，带 GenAI 或 OpenInference 属性"),
    ("openAi", "OpenAI chat completions，以及所有兼容它的服务"),
    ("openAiResponses", "OpenAI Responses"),
    ("anthropic", "Anthropic Messages"),
    ("bedrock", "Amazon Bedrock Converse"),
    ("o200k_base", "OpenAI 自 GPT-4o 起的模型所用"),
    ("cl100k_base", "GPT-4 和 GPT-3.5 所用"),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(command: &Command, path: &mut Vec<String>, look: &mut impl FnMut(&Command, &str)) {
        look(command, &path.join(" "));
        // clap shows the commands themselves, not what it keeps of them below `help`.
        if command.get_name() == "help" {
            return;
        }
        for below in command.get_subcommands() {
            path.push(below.get_name().to_owned());
            walk(below, path, look);
            path.pop();
        }
    }

    #[test]
    fn every_command_argument_and_value_has_a_chinese_text() {
        let mut missing = Vec::new();
        let mut known = vec![("*", "help"), ("*", "version")];
        walk(&Cli::command(), &mut Vec::new(), &mut |command, place| {
            let mut look = |id: &str| {
                let entry = |command: &str| TEXTS.iter().find(|(place, known, _)| *place == command && *known == id);
                match entry(place).or_else(|| entry("*").filter(|_| !id.is_empty())) {
                    Some((place, id, _)) => known.push((place, id)),
                    None => missing.push(format!("{place} {id}")),
                }
            };
            look("");
            command.get_arguments().for_each(|argument| look(argument.get_id().as_str()));
            let values = command.get_arguments().filter(|argument| argument.get_action().takes_values());
            let values = values.flat_map(Arg::get_possible_values).filter(|value| !value.is_hide_set());
            missing.extend(
                values
                    .map(|value| value.get_name().to_owned())
                    .filter(|name| !VALUES.iter().any(|(known, _)| known == name)),
            );
        });
        assert_eq!(missing, Vec::<String>::new());
        let needless: Vec<_> = TEXTS.iter().filter(|(place, id, _)| !known.contains(&(place, id))).collect();
        assert!(needless.is_empty(), "{needless:?}");
    }

    #[test]
    fn help_in_chinese_has_no_english_of_ours_or_of_clap() {
        let mut english = Vec::new();
        walk(&command(Language::Chinese), &mut Vec::new(), &mut |command, place| {
            for text in [command.clone().render_help(), command.clone().render_long_help()] {
                let text = text.to_string();
                let said =
                    ["Usage", "Options", "Commands", "Arguments", "Print", "default", "possible", " the ", " a "];
                english.extend(
                    said.iter().filter(|word| text.contains(**word)).map(|word| format!("{place}: {word}\n{text}")),
                );
            }
        });
        assert!(english.is_empty(), "{}", english.join("\n"));
    }

    #[test]
    fn a_wrong_argument_is_named_in_chinese() {
        let told = |arguments: &[&str]| {
            let error = command(Language::Chinese).try_get_matches_from(arguments).unwrap_err();
            super::error(&error, Language::Chinese).unwrap().lines().next().unwrap().to_owned()
        };
        assert_eq!(told(&["skillbench", "list", "x", "--colour"]), "错误：没有参数 --colour");
        assert_eq!(told(&["skillbench", "list"]), "错误：缺少参数：<ROOT>...");
        assert_eq!(told(&["skillbench", "lst"]), "错误：没有命令 lst");
        assert_eq!(
            told(&["skillbench", "run", "x", "--max-cost", "no"]),
            "错误：--max-cost <DOLLARS> 的值“no”无效：expected an amount such as 0.25"
        );
    }
}
