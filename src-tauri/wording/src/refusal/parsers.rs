//! What libyaml, saphyr, serde_norway and serde_json say about a text that is not YAML or JSON.

/// The error in Chinese, without the place at its end.
pub fn chinese(said: &str) -> Option<String> {
    if let Some(letter) = said.strip_prefix("unexpected character: `").and_then(|rest| rest.strip_suffix('\'')) {
        return Some(format!("`{letter}` 不能写在这里"));
    }
    // libyaml says last what it was reading, saphyr first.
    let (problem, context) = match said.split_once(", while ") {
        Some((problem, context)) => (problem, Some(context)),
        None => match said.strip_prefix("while ").and_then(|rest| rest.split_once(", ")) {
            Some((context, problem)) => (problem, Some(context)),
            None => (said, None),
        },
    };
    let (problem, place) = placed(problem);
    let words = find(PROBLEMS, problem)?;
    let context = match context {
        None | Some("scanning for the next token") => String::new(),
        Some(context) => format!("；正在读取{}", crate::led(find(CONTEXTS, context)?)),
    };
    Some(format!("{words}{place}{context}"))
}

fn find(table: &[(&str, &'static str)], said: &str) -> Option<&'static str> {
    table.iter().find(|(en, _)| *en == said).map(|(_, zh)| *zh)
}

/// The text before a place, and the place in Chinese.
fn placed(said: &str) -> (&str, String) {
    if let (words, Some((line, column))) = super::without_place(said) {
        return (words, format!("（第 {line} 行第 {column} 列）"));
    }
    match said.rsplit_once(" at position ") {
        Some((words, at)) => (words, format!("（第 {at} 个字节）")),
        None => (said, String::new()),
    }
}

pub const PROBLEMS: &[(&str, &str)] = &[
    ("block sequence entries are not allowed in this context", "这里不能写列表项"),
    ("control characters are not allowed", "不允许控制字符"),
    ("could not find expected ':'", "缺少 `:`"),
    ("could not find expected directive name", "`%` 之后缺少指令的名称"),
    ("did not find URI escaped octet", "`%` 之后应为两位十六进制数字"),
    ("did not find expected '!'", "缺少 `!`"),
    ("did not find expected ',' or ']'", "这里应为 `,` 或 `]`"),
    ("did not find expected ',' or '}'", "这里应为 `,` 或 `}`"),
    ("did not find expected '-' indicator", "这里应为以 `-` 开头的列表项"),
    ("did not find expected <document start>", "这里应为文档的开头 `---`"),
    ("did not find expected <stream-start>", "缺少文本的开头"),
    ("did not find expected alphabetic or numeric character", "这里应为字母或数字"),
    ("did not find expected comment or line break", "这里应为注释或换行"),
    ("did not find expected digit or '.' character", "这里应为数字或 `.`"),
    ("did not find expected hexadecimal number", "这里应为十六进制数字"),
    ("did not find expected key", "这里应为键"),
    ("did not find expected node content", "这里应为值"),
    ("did not find expected tag URI", "这里应为标签的地址"),
    ("did not find expected version number", "这里应为版本号"),
    ("did not find expected whitespace or line break", "这里应为空格或换行"),
    ("did not find expected whitespace", "这里应为空格"),
    ("did not find the expected '>'", "缺少 `>`"),
    ("duplicate %TAG directive", "`%TAG` 指令重复"),
    ("found a tab character that violates indentation", "制表符破坏了缩进"),
    ("found a tab character where an indentation space is expected", "缩进应使用空格，这里是制表符"),
    ("found an indentation indicator equal to 0", "缩进标记不能为 0"),
    ("found character that cannot start any token", "这个字符不能出现在开头"),
    ("found duplicate %TAG directive", "`%TAG` 指令重复"),
    ("found duplicate %YAML directive", "`%YAML` 指令重复"),
    ("found extremely long version number", "版本号过长"),
    ("found incompatible YAML document", "不支持这个版本的 YAML"),
    ("found invalid Unicode character escape code", "转义的 Unicode 字符无效"),
    ("found undefined tag handle", "标签的前缀没有定义"),
    ("found unexpected ':'", "这里不应有 `:`"),
    ("found unexpected document indicator", "这里不应有文档标记"),
    ("found unexpected end of stream", "文本在此意外结束"),
    ("found unexpected non-alphabetical character", "这里只能是字母"),
    ("found unknown directive name", "未知的指令"),
    ("found unknown escape character", "未知的转义字符"),
    ("incomplete UTF-16 character", "UTF-16 字符不完整"),
    ("incomplete UTF-16 surrogate pair", "UTF-16 代理对不完整"),
    ("incomplete UTF-8 octet sequence", "UTF-8 字节不完整"),
    ("input is too long", "文本过长"),
    ("invalid Unicode character", "无效的 Unicode 字符"),
    ("invalid leading UTF-8 octet", "无效的 UTF-8 首字节"),
    ("invalid trailing UTF-8 octet", "无效的 UTF-8 后续字节"),
    ("mapping keys are not allowed in this context", "这里不能写键"),
    ("mapping values are not allowed in this context", "这里不能写 `键: 值`"),
    ("unexpected low surrogate area", "这里不应有低位代理"),
    ("expected low surrogate area", "这里应为低位代理"),
    // Messages that saphyr words differently.
    ("'-' must be followed by a valid YAML whitespace", "`-` 之后必须是空格"),
    ("':' may not precede any of `[{` in flow mapping", "在 `{…}` 中，`:` 之后不能紧跟 `[` 或 `{`"),
    ("':' must be followed by a valid YAML whitespace", "`:` 之后必须是空格"),
    ("a block scalar content cannot start with a tab", "文本块不能以制表符开头"),
    ("a byte order mark must not appear inside a document", "文本中间不能有字节顺序标记（BOM）"),
    ("comment intercepting the multiline text", "多行文本中间夹有注释"),
    ("did not find expected <document-start>", "这里应为文档的开头 `---`"),
    ("did not find expected next token", "后面缺少内容"),
    ("duplicate version directive", "版本指令重复"),
    ("expected ',' or ']'", "这里应为 `,` 或 `]`"),
    ("expected whitespace", "这里应为空格"),
    ("found a tab", "其中有制表符"),
    ("found an incorrect leading UTF-8 byte", "无效的 UTF-8 首字节"),
    ("found an incorrect leading UTF-8 octet", "无效的 UTF-8 首字节"),
    ("found an incorrect trailing UTF-8 byte", "无效的 UTF-8 后续字节"),
    ("found an incorrect trailing UTF-8 octet", "无效的 UTF-8 后续字节"),
    ("found an invalid UTF-8 codepoint", "无效的 UTF-8 码位"),
    ("found an invalid escape sequence", "无效的转义"),
    ("found duplicated anchor", "锚点重复"),
    ("found unknown anchor", "这个别名没有对应的锚点"),
    ("found unprintable character", "有不可打印的字符"),
    ("illegal placement of ':' indicator", "`:` 的位置不对"),
    ("invalid content after document end marker", "文档的结束标记之后不能有内容"),
    ("invalid global tag character", "标签中有无效的字符"),
    ("invalid indentation", "缩进不对"),
    ("invalid indentation for anchor", "锚点的缩进不对"),
    ("invalid indentation in flow construct", "括号内的缩进不对"),
    ("invalid indentation in quoted scalar", "带引号的文本缩进不对"),
    ("invalid trailing content after double-quoted scalar", "右侧的双引号之后还有内容"),
    ("misplaced bracket", "括号的位置不对"),
    ("missing explicit document end marker before directive", "指令之前缺少文档的结束标记 `...`"),
    (
        "plain scalar cannot start with '-' followed by ,[]{}",
        "以 `-` 开头并紧跟 `,`、`[`、`]`、`{` 或 `}` 的值必须加引号",
    ),
    ("simple key expect ':'", "键之后缺少 `:`"),
    ("simple key expected", "这里应为键"),
    ("tab cannot be used as indentation", "缩进应使用空格，不能用制表符"),
    ("tabs disallowed in this context", "这里不能用制表符"),
    ("tabs disallowed within this context (block indentation)", "缩进应使用空格，不能用制表符"),
    ("the TAG directive must only be given at most once per handle in the same document", "`%TAG` 指令重复"),
    ("the handle wasn't declared", "标签的前缀没有声明"),
    ("unexpected end of plain scalar", "不带引号的文本意外结束"),
    ("unexpected eof", "文本在此意外结束"),
    ("wrongly indented line in block scalar", "文本块中有一行缩进不对"),
    // serde_norway and serde_json.
    ("EOF while parsing a value", "缺少值，文本已结束"),
    (
        "deserializing from YAML containing more than one document is not supported",
        "只能有一个 YAML 文档，这里不止一个",
    ),
    ("recursion limit exceeded", "嵌套太深"),
    ("repetition limit exceeded", "别名展开后太大"),
    ("unknown anchor", "这个别名没有对应的锚点"),
    ("expected a mapping or list of mappings for merging, but found scalar", "`<<` 应为映射或映射的列表，这里是单个值"),
    ("unexpected tagged value in merge", "`<<` 的值不能带标签"),
    ("expected a mapping for merging, but found scalar", "`<<` 的列表里应为映射，这里是单个值"),
    ("expected a mapping for merging, but found sequence", "`<<` 的列表里应为映射，这里是列表"),
    ("empty YAML tag is not allowed", "标签不能为空"),
    ("EOF while parsing a list", "列表没有结束，文本已结束"),
    ("EOF while parsing an object", "对象没有结束，文本已结束"),
    ("EOF while parsing a string", "字符串没有结束，文本已结束"),
    ("expected `:`", "这里应为 `:`"),
    ("expected `,` or `]`", "这里应为 `,` 或 `]`"),
    ("expected `,` or `}`", "这里应为 `,` 或 `}`"),
    ("expected ident", "这里应为 `true`、`false` 或 `null`"),
    ("expected value", "这里应为值"),
    ("expected `\"`", "这里应为 `\"`"),
    ("invalid escape", "无效的转义"),
    ("invalid number", "无效的数"),
    ("number out of range", "数超出范围"),
    ("invalid unicode code point", "无效的 Unicode 码位"),
    (
        "control character (\\u0000-\\u001F) found while parsing a string",
        "字符串里不能直接写控制字符（\\u0000 到 \\u001F）",
    ),
    ("key must be a string", "键应为字符串"),
    ("lone leading surrogate in hex escape", "转义里只有半个代理对"),
    ("trailing comma", "最后一项之后不能有 `,`"),
    ("trailing characters", "结尾之后还有内容"),
    ("unexpected end of hex escape", "十六进制转义不完整"),
    ("float key must be finite (got NaN or +/-inf)", "作为键的数必须有限"),
    ("invalid value: expected key to be a number in quotes", "键应为带引号的数"),
];

pub const CONTEXTS: &[(&str, &str)] = &[
    ("parsing a %TAG directive", "`%TAG` 指令"),
    ("parsing a block collection", "按缩进书写的列表"),
    ("parsing a block mapping", "按缩进书写的映射"),
    ("parsing a block node", "一个值"),
    ("parsing a flow mapping", "`{…}` 中的映射"),
    ("parsing a flow node", "一个值"),
    ("parsing a flow sequence", "`[…]` 中的列表"),
    ("parsing a node", "一个值"),
    ("parsing a quoted scalar", "带引号的文本"),
    ("parsing a tag directive", "标签的指令"),
    ("parsing a tag", "标签"),
    ("scanning a %TAG directive", "`%TAG` 指令"),
    ("scanning a %YAML directive", "`%YAML` 指令"),
    ("scanning a block scalar", "文本块"),
    ("scanning a directive", "以 `%` 开头的指令"),
    ("scanning a plain scalar", "不带引号的文本"),
    ("scanning a quoted scalar", "带引号的文本"),
    ("scanning a simple key", "一个键"),
    ("scanning a tag directive", "标签的指令"),
    ("scanning a tag", "标签"),
    ("scanning an alias", "以 `*` 开头的别名"),
    ("scanning an anchor", "以 `&` 开头的锚点"),
    ("parsing anchor", "以 `&` 开头的锚点"),
    ("parsing node", "一个值"),
    ("scanning TAG", "`%TAG` 指令"),
    ("scanning a verbatim tag", "以 `!<` 开头的标签"),
    ("scanning an anchor or alias", "锚点或别名"),
];
