/** The commonest surnames, which cover about nine in ten people. */
const SURNAME =
  "[王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤]|欧阳|司马|上官|诸葛";
const TITLE = "先生|女士|小姐|老师|医生|经理|教授|主任|师傅|总监|总|律师|同学|阿姨|叔叔|奶奶|爷爷";
const NAME_BEFORE =
  "和|跟|叫|与|给|我是|同事|朋友|同学|见到|遇到|找|问|告诉|介绍|哥哥|姐姐|弟弟|妹妹|丈夫|妻子|老板|认识|[，。！？、：；\\s]|^";
const NAME_AFTER =
  "说|告诉|问|去|在|是|和|跟|也|喜欢|住|来|想|要|会|有|给|买|做|吃|的|昨|今|明|上周|下周|结婚|毕业|觉得|认为|打算|很|不|没|把|被|都|已|[，。！？、：；\\s]|$";
/** Words that begin with a surname's character and are no name. */
const NO_NAME =
  /^(?:高兴|高中|高铁|马上|方便|方法|方面|周末|周[一二三四五六日天]|白天|白色|金额|石头|程序|何时|何况|万一|余下|任何|任务|时候|于是|向来|许多|江边|田里|汤很|钱包|严重|武术|夏天|黄色|黄金|龙虾|毛衣|雷雨|段时|石油|林业|唐诗|程度|顾客|向他|向我|钟头|谢谢|曾经|贺卡|张开|莫非|孔雀|马路|史上|于此|白酒|方案|金融|高级|高考|温)/u;
const TITLED = new RegExp(`(?:${SURNAME})(?:${TITLE})|(?:小|老|阿)(?:${SURNAME})(?=${NAME_AFTER})`, "gu");
const FULL_NAME = new RegExp(`(?<=${NAME_BEFORE})(?:${SURNAME})\\p{Script=Han}{1,2}?(?=${NAME_AFTER})`, "gu");
const PLACE =
  /(?<=在|去了?|到|从|来自|于|回|逛|加入)(?!了)[\p{Script=Han}]{2,6}?(?:大学|公司|医院|公园|机场|博物馆|餐厅|火车站|图书馆|市|省|县|区|镇|路|街)/gu;
const ROOM_LIKE = /^(?:这|那|一|我|你|他|她|哪)/u;

/** Names in a Chinese text that their surname, title or context shows. */
export function findChineseNames(text: string): [kind: "person" | "entity", name: string][] {
  if (!/\p{Script=Han}/u.test(text)) return [];
  const found: [kind: "person" | "entity", name: string][] = [];
  for (const [name] of text.matchAll(TITLED)) found.push(["person", name]);
  for (const [name] of text.matchAll(FULL_NAME)) {
    const isTitled = found.some(([, other]) => other.startsWith(name) || name.startsWith(other));
    if (!NO_NAME.test(name) && !isTitled) found.push(["person", name]);
  }
  for (const [name] of text.matchAll(PLACE)) if (!ROOM_LIKE.test(name)) found.push(["entity", name]);
  return found;
}
