// What synthetic prompts are made of.

package workload

import "strings"

// words is the vocabulary of synthetic prompts: common English words, each of
// which is one token with its leading space in the vocabularies of the large
// model families (checked against four of them). Words that a provider's
// content filter might take offence at are left out: the server under test is
// to answer, not to refuse. The list and its order are part of the format: a
// change alters every synthetic prompt ever planned.
var words = strings.Fields(`
able about above access account across act action active actual add address adjust admit adult advantage advice affect
afford after again age agency agent agree ahead air alive all allow almost alone along also alter although always
among amount ancient and anger angle animal announce another answer any apart appeal appear apply approach approve
area argue arm arrange arrival arrive art article artist ask asset assign assist assume attach attend attention
attract audience author average award aware away baby back bad bag balance ball band bank bar bargain barrel barrier
base basic basis bath battery beach bean bear beautiful because become bed before begin behavior belief believe bell
belong below belt bend beneath benefit beside best better beyond bicycle big bill billion bird bit bitter black blade
blame blank blast blend blind block blow blue boat body bold bond bone bonus border born borrow boss both bother
bottom bound bowl box boy brain brand brave bread break breakfast breath breeze brick bridge brief bright bring broken
brother brown brush bucket budget building bulk bunch burden burst bus business busy but butter button buy cabin
cabinet cable cake calculate calendar calm camera camp campaign can canal candidate candle capable capacity capital
captain car carbon card care career careful carry cart case cash cast castle catch category cattle cause cave ceiling
cell center central century certain chain challenge chamber champion chance change channel character charge charity
chart chase cheap cheese chemical chest chicken chief child choose circle circuit citizen city civil class classic
clay clean clear clerk client cliff climate climb clinic clock cloth clothes cloud club clue coach coast coat code
coffee coin cold collar colleague collect college color column come comfort command comment commerce commit community
company compare compete complain complete component compose compound computer concept concern conclude concrete
condition conduct confirm conflict connect consider consist constant construct consult contact contain content contest
context continue contrast control convert convince cook cool copy core corn corner correct cost cotton couch cough
could council count country county couple courage course court cover crack craft cream create creature crew crisis
critic crop cross crowd crucial cry cultural culture cup cure current curtain curve custom customer cut daily dance
danger dare dark data daughter dawn day deal dear debate decade decide decision deck declare decline deer defeat
defend defense define degree deliver delivery demand democracy dense deny depend deposit depth describe desert deserve
desire desk despite detail detect develop devote diamond diet differ different difficult digital dinner direct
direction dirt dirty discuss dish display distance distant distinct divide doctor document dog dollar domain door dose
double doubt down dozen drag drama draw drawer dream dress drill drink drive driver drop dry due dust duty each eager
ear earn earth ease east easy eat economic economy edge edit edition editor education effect efficient effort egg
eight elbow elder election electric element elephant else embrace emerge emotion emphasis employ empty enable
encounter encourage end energy engine engineer enhance enjoy enormous enough enter entire entrance entry envelope
episode equal era error escape essay essential establish estimate evaluate even evening event ever evidence evolve
exact exam examine example excellent except exchange exclude excuse exercise exist exit expand expect expense
expensive explain explore export expose express extend external extra extreme eye fabric face fact factor factory fade
fail failure faith fall false fame familiar family fan fancy far farm farmer fashion fate father favor favorite fear
feather federal fee feed feel fellow female festival few fiber fiction field fierce fifty fight figure file fill film
final finance financial find fine finger fire firm first fish fit five flag flame flash flat flavor flesh float flood
floor flow flower fluid focus fold folk follow food foot for force foreign forest forever forget fork form formal
former formula forth forum forward founder four fox frame free freedom freeze frequency frequent fresh from front
frozen fruit fuel full function fund funny furniture further future galaxy gallery game gap garage garden gas gate
gather gauge gear gender general generate generous gentle gentleman genuine gift girl give glad glance glass glory
glove go goal goat gold golf good govern grab grace grade grain grand grant grape grass grateful gray great green
greet grid grief grocery ground group grow growth guarantee guess guest guide guitar guy habit half hall hammer hand
handle hang happy harbor hard hardware harvest hat hay hazard head headline health healthy heart heat heaven heavy
heel height hence her herb here hero hesitate hide high highlight highway hill hint hire his historic history hit
hobby hole holiday hollow home honest honey hook hope horizon horn horse hospital hot hotel hour house household
housing however huge human humor hundred hungry hunter hurry husband ice idea ideal identity idle if ignore ill
illness imagine immediate immune impact implement imply important impose impress improve in inch include income
increase indeed index indicate industry infection inflation influence inform initial innocent input inquiry insect
inside insight inspect inspire install instance instant instead intend intense intention interest interior internal
interview into introduce invent invest invite iron island issue it item its jar jazz jet jewelry job join joke journal
journey joy judge juice jungle junior jury just justice keen key kick kidney kind king kingdom knee knife knock know
knowledge label lack ladder lady lake lamb lamp landscape language lap large laser last later latter laugh launch law
lawn lay layer lead leader leaf league leap learn least leather leave lecture leg legacy legal legend lemon lend lens
less lesson let letter level library license lie life lift light likely limit line link lion lip list listen literary
little live liver load loan local locate lock log lonely long look loop loose lord loss lost lot loud love lovely low
lower loyal luck lucky lunch luxury machine magazine magic magnetic mail maintain major make male mall man manager
manner manual many map marble margin marine mark market marriage marry mass master match mate material math maximum
may mayor meal mean meaning meat mechanism media medical medicine medium meeting melt member memory mental mention
merchant mercy mere merit mess message meter method middle midnight might mild milk mill million mind mine mineral
minister minor minute mirror miss mission mix mixture mobile mode model moderate modest moment money monitor monkey
month moon moral more moreover morning mortgage mother motion motor mount mountain mouse move movement movie much mud
multiple museum music musical must mutual my myth nail name narrative narrow nation natural nature near nearby neat
necessary need needle negative neighbor neither nerve nest net network neutral never new newspaper next nice night
nine noble nod noise none noon normal north not note nothing notice notion novel nowhere number nurse nut oak obey
objective observe obtain obvious occasion occupy ocean odd off offense offer office official often oil old olive on
one onion online only onto open operate operation opinion opponent oppose opposite orange orbit order ordinary organ
organic origin original other our out outcome outer outfit outline output outside oven overall overcome owe own owner
oxygen pack package page pain paint painter palace pale palm pan panel panic parade parent park part particle partner
pass passage passenger passion past path pattern pause pay payment peace peak penalty pencil people pepper per percent
perform perhaps period permanent permit person phase phone photo phrase physical piano picture piece pile pilot pin
pink pipe pitch place plain plan plane plant plastic plate platform play player pleasure plenty plot plus pocket poem
poetry point pole police policy polite politics poll pool poor pop popular portion portrait pose position positive
possess post pot potato potential pound pour power practical practice praise pray precious predict prefer premium
prepare presence present president press pressure pretend pretty prevent price pride primary prime prince princess
principle print prior priority private prize problem procedure process produce product professor profit program
progress project promise promote proof proper property proposal propose prospect protein protest proud prove provide
province publish pull pulse pump punch pupil pure purple purpose pursue push put qualify quality quantity quarter
queen question quiet quit quite quote rack radiation radio rail railroad railway rain raise range rank rapid rare rate
rather raw reach react read reader ready reality realize really rear reason recall recent recipe recognize recommend
record recover red reduce refer reflect reform regard region register regret regular reject relate relative relax
release relevant reliable relief remain remark remember remind remote remove rent repair repeat replace reply report
republic request require rescue research reserve resist resolve resort resource respect respond rest restore restrict
result retail retain retreat return reveal revenue reverse review rhythm rice rich ride right ring risk rival river
road roast robot rocket rod role roll romance romantic room root rope rose rotate rough route routine row royal rub
rubber rule ruler rumor run rural rush sacrifice sad safe safety sail sake salary sale salmon salt same sample
satellite satisfy sauce save say scale scandal scared scatter scenario scene schedule scholar school science scientist
scope score screen screw script sea seal search seat second secret secretary section sector secure see seed seek seem
segment seize self sell senate senator send senior sensitive sentence separate sequence series serious serve service
session set settle seven severe shade shadow shake shall shallow shape share sharp she shed sheep shelf shell shelter
shift shine ship shock shoe shop shore short should shout show shower shut shy side sign signal silence silent silk
silver simple since sing singer single sink sit site situation six size ski skin skirt sky sleep slice slide slip
slope slow small smart smell smoke smooth snake snow so soap society sock soft software soil solar solid solution
solve some son song sorry sort soul sound soup source space spare spark speak speaker special specific speech speed
spell spend spin spite split spoil sponsor spoon sport spread spring square squeeze stable staff stair stake stand
standard star stare state statement station statue status stay steam steel steep stem step stick still stimulus stir
stock stomach stone storage store storm story stove straight stranger strategic strategy stream street strength strict
strike string stroke strong structure student studio study stuff style subject substance succeed success such sudden
sugar suit summer summit sun super supper support suppose supreme sure surface surgeon surprise surround survey
survive suspect suspend swear sweep sweet swift swim swing symbol sympathy symptom system table tackle take tale
talent talk tall tank tape target task taste tax taxi teach teacher team tear technical technique telephone tell
temple temporary ten tenant tender tennis tension tent term territory text than thank that theater their theme then
theory therapy there therefore thick thin thing think third thirty thorough though thought thousand thread three
through throw thumb thus ticket tide tiger tight till timber time tiny tire tissue title to today toe tomato tomorrow
tone tongue tonight too tooth top topic toss total touch tour tourist toward towel tower town trace track trade
tradition traffic trail trait transfer transform translate transport travel treasure treat treatment treaty tree trend
trick trip troop trouble truck true trunk trust truth try tube tune turn twelve twenty twice twin twist type typical
ultimate umbrella unable uncle undergo uniform union unique unit unite universal universe unknown unless unlike until
up update upon upper upset urban us use useful user usual utility vacuum valid valley valuable value van variety
various vary vast vegetable vehicle verb version versus very vessel veteran victory video view village virtual virtue
vision visit visitor visual vital vocal volume volunteer vote voyage wage wagon wait wake walk wall wander want warn
warning warrior wash waste watch wave way we weak wealth wear web wedding week weekend weigh weight welfare well west
western wet what wheel when where whereas whether which whisper white who whole whose why width wife wild will willing
win window wine wing winner winter wire wise wish with withdraw within without woman wonder wood wooden wool word
worker workshop world worry worth would wrist write writer wrong yard year yes yesterday yet yield you young youth
zero zone
`)
