//! Pieces of code for tests: they open, continue and close constructs in each language. Combining them finds more cases
//! than combining letters.

pub fn all() -> Vec<&'static str> {
    [PYTHON, JAVASCRIPT, OTHERS].concat()
}

#[rustfmt::skip]
pub const PYTHON: &[&str] = &[
    "(", ")", "[", "]", "{", "}", ":", ",", ";", "=", ".a", "+", "-", "~", "*", "**a,", "a**", "a<", "a|", "...", "->",
    "a(", "a[", "a(b=", "{a:", "(a:=", "[a for b in ", "(a for a in b if ", "not ", "a and ", "a or ", "a not in ", "lambda:",
    "lambda a=", "a if b else ", "a if ", "1if ", " else ", "await ", "async ", "yield ", "(yield ", "yield from ",
    "\"", "'", "\"\"\"", "'''", "f\"", "f\"{", "f'{a:{", "f'''{a!r:", "rf'{", "t\"{", "b'", "if\"", "{x!r:>{w}}", "{{", "}}", "!r",
    "if x:", "if x:\n", "else:\n", "elif ", "while ", "for x in ", "for (", "try:", "except*", "with (", "with a as (",
    "match a:\n case ", "case (", "case [", "case {1:", "A(b=", "1|", " as b", "def f", "def f(a=", "def f(a:", "def f[T:", "class A",
    "class A(", "@a\n", "type A[B=", "assert ", "del (", "return ", "print(", "import ", "from a import b", "from a import (",
    "\n", "\n ", "\n  ", "\n\t", "\t", "\r", "\r\n", "\\", "\\\n", "#", " ", "\u{c}", "é", "中", "\u{feff}", "\u{a0}not", "1", "a", "$",
    "os.environ", "sys.argv", "add_argument",
];

#[rustfmt::skip]
pub const JAVASCRIPT: &[&str] = &[
    "(", ")", "[", "]", "{", "}", "${", "'", "\"", "/", "`", "`${", "`a${`", "a`b`", "/a/,(", "/[/]/", "\n", ";", ",", ":", "=",
    "!", "- ", "+", "~", "++", "new ", "new a(", "typeof ", "void ", "delete ", "await ", "await\n", "yield ", "throw ", "return ", "async ",
    "a=>", "(a)=>", "(a)=>{", "()=>(", "async()=>", "async(", "(a=", "({a=", "a=", "a+", "a**", "a||", "a??b,[", "a&&", "a|", "a<b,", "a,(",
    "a.", "a?.b", "a?.[", "a()", "a(", "a[", "a!", "#a in ", " in ", " instanceof ", "...", "a?b:", "a?", "a\n?b\n:", "x={a:", "{[a]:", "[,",
    "if(a)", "if(a)\n", "if(a)b;else ", "if(a){}else ", "else ", "do ", "while(a)", "for(;;)", "for(a of ", "for await(", "with(a)",
    "switch(a){case b:", "case a:", "try{", "catch{", "finally{", "label:{", "a:", "a;{", "let ", "let[a=", "let{a:", "var a=",
    "function(){", "function*a(b=", "function a(){", "class extends ", "class{a=", "class{static{", "class{a(){", "class{[", "class{get a(b=",
    "import(", "import ", "import a from ", "export ", "export default ", "import.meta.", "super.", "@a ", "@a(", "@(",
    "<a>", "</a>", "<>", "<a b={", "<a {...", "<a.b>", "<a b=<", "</", "/>", "=>", "<!--", "-->", "/*", "*/", "//", "//\n(", "\u{2028}(",
    "keyof ", "keyof\n", "unique ", "readonly ", "infer ", "infer A extends ", "a is ", "asserts a is ", "x:A<a,", "let a:A<", "A<", "<", "<A,>(", "<A extends ",
    "<A=", "type A=[", "type A=", "a as b<", "a as ", " satisfies ", "(a:", "(a?:", "(a:A)=>", "new()=>", "abstract new()=>", "{a:", "{a():",
    "{[a:", "{[a in ", "A extends B?", "A['b'][", "[a?:", "typeof import(", "typeof a<", "`${A}${", "|", "&", "-?:", "interface A extends B<", "interface A{",
    "namespace a{", "declare module 'a'{", "enum A{b=", "abstract class A{", "import a=b.", "function a<A>(this:", "a<b>(", "a<(", "\u{a0}typeof",
    "$", "1", "1n", "0x1", "é", "\\u0061", "process.env.X",
];

#[rustfmt::skip]
const OTHERS: &[&str] = &[
    "$(", "<<E", "\nE\n", "==", "esac", "done", "fi", "read -p", "cat \"$1\"", "key: ", "&a ", "*a", "[[", "]]", "-1e9", "null", "true",
    "--flag", "/home/ada/x", "https://a.b/c", ">>> ", "$ ", "<x>",
];
