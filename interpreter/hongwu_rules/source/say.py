"""The sentences about raw text: what is wrong at a place, and the next step."""

from __future__ import annotations

from dataclasses import dataclass

from ..diagnostics import Text


@dataclass(frozen=True, slots=True)
class Say:
    """A sentence with gaps, and perhaps a hint."""

    zh: str
    en: str
    hint: Text | None = None

    def text(self, **words: object) -> Text:
        """The sentence with its gaps filled."""
        return Text(self.zh.format(**words), self.en.format(**words))

    def hints(self, **words: object) -> tuple[Text, ...]:
        """The hint with its gaps filled, if there is one."""
        if self.hint is None:
            return ()
        return (Text(self.hint.zh.format(**words), self.hint.en.format(**words)),)


_ALIGN = Text("同一级的行要用同样多的空格缩进", "lines of the same level start with the same number of spaces")
_SPACES = Text("改用空格缩进，每级两个", "indent with spaces, two for each level")
_QUOTE_IT = Text("给整个值加上引号", "put the whole value in quotes")
_BLOCK = Text(
    "把这个条件单独写一行（不用花括号），或给它加上引号",
    "write the condition on a line of its own in block style, or quote it",
)
_ASCII = Text("改成英文（半角）的“{meant}”", "write the plain `{meant}` instead")

SAY: dict[str, Say] = {
    # indentation and lines
    "tab": Say("这一行用制表符（Tab，→）缩进，YAML 只能用空格", "this line is indented with a tab (→); YAML wants spaces", _SPACES),
    "tabs": Say(
        "这一行用制表符（Tab，→）缩进，YAML 只能用空格；后面还有 {more} 行也是",
        "this line is indented with a tab (→); YAML wants spaces; {more} more lines below are too",
        _SPACES,
    ),
    "tab_after_colon": Say(
        "冒号后面是制表符（Tab，→），不是空格", "a tab (→) follows the colon instead of a space", Text("换成一个空格", "make it one space")
    ),
    "tab_after_dash": Say(
        "短横后面是制表符（Tab，→），不是空格", "a tab (→) follows the dash instead of a space", Text("换成一个空格", "make it one space")
    ),
    "deep": Say("这一行缩进太多：上面没有等着下级内容的项", "this line is indented too far: nothing above waits for lines below it", _ALIGN),
    "between": Say(
        "这一行的缩进和上面哪一级都对不上", "the indentation of this line fits no level above it", _ALIGN
    ),
    "nested": Say(
        "上面那一项已经有值了，这一行又缩进成它的下级",
        "the entry above already has a value, and this line is indented as if it belonged below it",
        Text("把值删掉，或把这一行退回同一级", "remove the value above, or move this line back to its level"),
    ),
    "joined": Say(
        "上面那一项已经有值了，这里的“- ”会被当成那个值的一部分",
        "the entry above already has a value, so YAML takes this `- ` for a part of it",
        Text("把上面的值也写成“- ”一行，或用 >- 写多行的值", "make the value above a `- ` line too, or write a long value with >-"),
    ),
    "dash": Say(
        "这里以“- ”开头，是列表的一项，可是同一级的其他行是“名字: 值”",
        "`- ` begins an item of a list, but the other lines of this level are `key: value`",
        Text("列表要缩进在它所属的名字下面", "indent the list under the key that it belongs to"),
    ),
    "no_dash": Say(
        "同一级的其他行以“- ”开头，这一行却不是",
        "the other lines of this level begin with `- `, this one does not",
        Text("补上“- ”，或调整缩进", "add `- `, or change the indentation"),
    ),
    "no_colon": Say("这一行没有“名字: 值”里的冒号", "this line has no `key: value`: the colon is missing", Text("写成“名字: 值”，冒号后空一格", "write `key: value`, with a space after the colon")),
    "rest": Say("值的后面多出了这些字", "these characters stand behind the end of the value", _QUOTE_IT),
    # colons and keys
    "no_space": Say("冒号后面少一个空格：{key}", "a space is missing after the colon of `{key}`", Text("写成“{key}: …”", "write `{key}: ...`")),
    "two_colons": Say(
        "“{key}:”的值里又有一个冒号加空格，YAML 分不清哪个是名字",
        "the value of `{key}` holds another colon with a space, and YAML cannot tell which one separates",
        Text("给值加上引号；如果是两项，分成两行", "quote the value; if these are two entries, use two lines"),
    ),
    "no_comma": Say("“{key}”前面少一个逗号", "a comma is missing in front of `{key}`", Text("在它前面加上英文逗号", "put a comma in front of it")),
    "long_key": Say("冒号前面的名字超过 1024 个字", "the key in front of the colon is longer than 1024 characters", Text("名字写短些", "use a short key")),
    "complex_key": Say("名字只能是一个词，不能是列表或“? ”", "a key is one word here, not a list and not `? `", Text("写成“名字: 值”", "write `key: value`")),
    # quotes and brackets
    "quote_open": Say("引号从这里开始，却没有结束", "the quote that opens here is not closed where it should be", Text("在这一行的末尾补上同样的引号", "close it with the same quote on this line")),
    "after_quote": Say(
        "引号已经结束，后面不能再有别的内容", "the quoted text has ended; nothing may follow it", Text("给整个值加上另一种引号", "put the whole value in quotes of the other kind")
    ),
    "unclosed": Say("“{char}”没有配上“{close}”", "`{char}` is not closed by `{close}`", Text("补上“{close}”", "add `{close}`")),
    "hidden_closer": Say(
        "“{char}”没有配上“{close}”：这一行的“ #”后面都成了注释",
        "`{char}` is not closed by `{close}`: everything behind ` #` on this line is a comment",
        Text("给带“#”的文字加上引号", "put the text with the `#` in quotes"),
    ),
    "hash": Say(
        "“{key}”后面的字成了注释，这里等于没写",
        "what stands behind `{key}` is a comment, so nothing is written here",
        Text("给带“#”的文字加上引号", "put the text with the `#` in quotes"),
    ),
    "extra_closer": Say("多了一个“{char}”", "`{char}` closes nothing", Text("删掉它", "remove it")),
    "after_bracket": Say("括号后面多出了内容", "something stands behind the closing bracket", _QUOTE_IT),
    "before_bracket": Say("括号前面多出了内容，或者少了一个逗号", "something stands in front of this bracket, or a comma is missing", _QUOTE_IT),
    "cannot_start": Say("值不能以“{char}”开头：YAML 会当成记号", "a value cannot begin with `{char}`: YAML reads that as a mark of its own", Text("如果是比较，前面要写出拿什么来比，如 points >= 40；不是就给整个值加上引号", "if it is a comparison, write what is compared before it, as in points >= 40; else put the whole value in quotes")),
    "empty_block": Say(
        "“{char}”表示下面几行是一段文字，可是下面没有", "`{char}` announces text on the lines below, but there is none", Text("如果是比较，前面要写出拿什么来比，如 points > 40", "if it is a comparison, write what is compared before it, as in points > 40")
    ),
    # expressions in flow style
    "flow_cut": Say(
        "这个条件写在花括号或方括号里，被其中的逗号、括号切断了",
        "this expression stands inside {{...}} or [...], and YAML cuts it at its own commas and brackets",
        _BLOCK,
    ),
    "flow_quote": Say(
        "这个条件以引号开头，写在括号里会在引号处结束",
        "this expression begins with a quote, so inside {{...}} or [...] YAML ends it at the closing quote",
        _BLOCK,
    ),
    "flow_text": Say(
        "这段文字写在花括号里，被其中的逗号切断了",
        "this text stands inside {{...}}, and YAML cuts it at its comma or bracket",
        Text("给这段文字加上引号", "put the text in quotes"),
    ),
    "bracket_first": Say(
        "这个条件以“{char}”开头，YAML 会当成列表或映射",
        "this expression begins with `{char}`, which YAML reads as a list or mapping of its own",
        Text("给整个条件加上引号，或换个写法不让它开头", "quote the whole expression, or turn it round so that it begins with a word"),
    ),
    # lookalikes
    "wide_colon": Say(
        "这里的“{char}”是全角冒号，YAML 不认：整行成了一个词",
        "`{char}` is a full-width colon: YAML takes the whole line for one word",
        Text("写成“{key}: …”（英文冒号加一个空格）", "write `{key}: ...`, with a plain colon and a space"),
    ),
    "lookalike": Say("这里有{zh}，程序不认", "here is {en}, which is not read as the plain sign", _ASCII),
    "odd_space": Say("这里有{zh}，不是普通空格", "here is {en} instead of a plain space", Text("换成普通空格", "make it a plain space")),
    "invisible": Say("这里有{zh}", "here is {en}", Text("删掉它", "delete it")),
    "odd_indent": Say("这一行用{zh}缩进，YAML 只能用普通空格", "this line is indented with {en}; YAML wants plain spaces", _SPACES),
    # not in this language
    "directive": Say("不支持以 % 开头的 YAML 指令", "YAML directives (lines that begin with %) are not used here", Text("删掉这一行", "remove this line")),
    "tag": Say("不支持 YAML 标签 {what}", "YAML tags are not used here: {what}", Text("如果“!”是“不”，写 not；不是就删掉它", "if `!` means `not`, write `not`; else remove it")),
    "anchor": Say("不支持 YAML 锚点 {what}", "YAML anchors are not used here: {what}", Text("共用的内容写进 define 或 acts", "name what is shared under `define` or `acts`")),
    "alias": Say("不支持 YAML 别名 {what}", "YAML aliases are not used here: {what}", Text("共用的内容写进 define 或 acts；如果“*”是乘号，加引号", "name what is shared under `define` or `acts`; if `*` is part of a formula, quote it")),
    "merge": Say("不支持“<<”合并", "the merge key `<<` is not used here", Text("用 extends 继承另一个文件", "use `extends` to build on another file")),
    "null_key": Say("这里的名字是空的", "the key here is empty (null)", Text("在冒号前写上名字；名字就叫 null 的要加引号", "write a name in front of the colon; a name that is the word null needs quotes")),
    # sizes
    "many": Say("文件里的项太多，超过 {limit}", "the file has more than {limit} values", Text("拆成几个文件", "split it into several files")),
    "lines": Say("文件有 {count} 行，最多 {limit} 行", "the file has {count} lines, the limit is {limit}", Text("拆成几个文件", "split it into several files")),
    "nesting": Say("嵌套太深，超过 {limit} 层", "nested more than {limit} levels deep", Text("用 define 拆开", "take it apart with `define`")),
    "digits": Say("这个数有 {count} 位，太长", "this number has {count} digits, which is too long", Text("检查有没有多打", "check for a slip of the keyboard")),
    # the whole file
    "empty": Say(
        "文件里没有内容",
        "the file is empty",
        Text(
            "从这五行开始：\nhongwu: 1\nname: my_game\ntitle: {{zh: 我的玩法, en: My game}}\nseats: {{count: 4}}\ndeck: {{packs: 1}}",
            "start with these five lines:\nhongwu: 1\nname: my_game\ntitle: {{zh: 我的玩法, en: My game}}\nseats: {{count: 4}}\ndeck: {{packs: 1}}",
        ),
    ),
    "root_list": Say("文件的最外层是列表，应当是“名字: 值”", "the file is one list; it must be lines of `key: value`", Text("去掉开头的“- ”", "take away the leading `- `")),
    "root_text": Say("整个文件成了一段文字，没有“名字: 值”", "the file is read as one piece of text; it has no `key: value`", Text("每行写成“名字: 值”，冒号后空一格", "write lines of `key: value`, with a space after the colon")),
    "two_documents": Say("这里开始了第二份文档，一个文件只能有一份", "a second document begins here; a file holds one", Text("分成两个文件，或删掉“---”“...”那一行", "use two files, or remove the line with `---` or `...`")),
    # keys and values
    "twice": Say("“{key}”在这里又写了一次", "`{key}` is given twice here", Text("留一个，删一个", "keep one of the two")),
    "twice_alike": Say("“{key}”和前面的“{other}”是同一个名字", "`{key}` and `{other}` above count as the same key", Text("留一个，改一个", "keep one of the two, or rename one")),
    "trap": Say("“{value}”别的 YAML 程序会读成{zh}，这里读成文字", "other YAML programs read `{value}` as {en}; here it is text", Text("要文字就加引号：\"{value}\"", "if it is meant as text, quote it: \"{value}\"")),
    "escape": Say("双引号里的“\\”后面不能是这个字", "in double quotes, `\\` cannot be followed by this character", Text("写两个反斜杠，或改用单引号", "double the backslash, or use single quotes")),
    "syntax_flow": Say("这一对括号里的内容读不下去：逗号、冒号或括号不对", "the part inside these brackets cannot be read on from here: a comma, a colon or a bracket is wrong", Text("检查逗号和引号", "check the commas and quotes")),
    "syntax": Say("YAML 读不到下面去了：这里和上面的内容接不上", "YAML cannot read on from here: this does not fit what stands above", Text("对照上一行检查缩进、冒号和引号", "compare the indentation, colons and quotes with the line above")),
}  # fmt: skip
