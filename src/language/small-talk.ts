import { isStopWord } from "./words.js";

/** Words of greeting, thanks, praise and confirmation: they carry a conversation and say nothing that lasts. */
const SMALL_TALK_WORDS =
  "hello hi hey hiya howdy greetings morning afternoon evening night day bye goodbye see later soon take care welcome " +
  "thanks thank thankful appreciate appreciated cheers please sorry apologies pardon excuse " +
  "yes yeah yep yup sure okay ok alright right fine exactly totally absolutely definitely certainly indeed agree agreed true correct " +
  "no nope nah never mind problem worries " +
  "wow whoa awesome great good nice cool amazing wonderful fantastic incredible lovely sweet perfect excellent brilliant super " +
  "woah wooo woo woohoo yay yikes whoo hooray phew yup aw awww hurrah interesting fun sounds sound look looks looking glad happy hear heard congrats congratulations haha hahaha lol lmao hehe hmm umm uh um ah aww oops " +
  "got get gotcha know understand understood see say said tell really well let go going gonna back keep thing things stuff way lot much " +
  "talk chat catch up luck best wish wishes proud hope think guess bet mean done noted ya yo dear friend guys everyone there how are";
const SMALL_TALK_WORDS_ZH =
  "你好 您好 大家 早 早上 早安 晚上 晚安 上午 下午 再见 拜拜 拜 谢谢 谢 多谢 感谢 不客气 客气 不用 抱歉 对不起 没关系 没事 好 好的 好吧 好啊 行 可以 嗯嗯 哈哈 哈哈哈 哈 嘿 呵呵 是的 对的 当然 没错 没问题 问题 知道 明白 了解 收到 真 真的 太 棒 太棒 厉害 不错 加油 辛苦 同意 确实 原来如此 哇 哦 嗯 吧 啊 呢 呀 哪 晚 安 错 客 气 没 关 系 事 多 感 起 对 再 见 白 明 收 到 知 道 了 解 然 当 题 问 用 午 上 下 们";
const SMALL_TALK: ReadonlySet<string> = new Set(`${SMALL_TALK_WORDS} ${SMALL_TALK_WORDS_ZH}`.split(" "));

/** Whether a word as `segmentWords` gives it tells something. */
export function isTellingWord(word: string): boolean {
  return !isStopWord(word) && !SMALL_TALK.has(word);
}
