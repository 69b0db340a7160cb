/** Written by scripts/train-workflow.ts; do not edit. One letter per workflow, then the feature; see learned.ts. */
export const WEIGHTS: string = `
JIDwwzvzm
yyyyyzFzzb:a cache
CzzyBzzwzb:a comment
zwyywzNyvb:a dockerfile
zyzDzzzzwb:a failing
xxxHzzyzzb:a fake
yBAzzzyyzb:a folder
yvyyyBGwCb:a good
AyzzzAzyyb:a look
vAFzzyzzzb:a new
zyzzyzyzDb:a poem
zyyzywGzyb:a pull
zyzAzzzzzb:a regression
yFyyyzyyzb:a rest
BAyzzzzyzb:a row
DyyzzBzyyb:a security
yAyzzzzCzb:a summary
yxyGyzxzzb:a test
xEyyzzyzzb:a user
zyzzyzyzDb:about autumn
AuuxEyCyFb:about the
zzzzzAzCwb:about this
yBxyxzEyyb:add a
zxyyFzyzzb:add comments
zzzDzzzwzb:add tests
xyyyHzyyxb:adr about
ExxCyzxyzb:after the
yEyyzzyzyb:agrega un
zCyCxzyyyb:ajoute un
xyyyHzyyxb:an adr
Czzzzzzyzb:an empty
zyzzDyzAyb:an example
yzyyzxyFzb:an overview
zvyyEyBByb:and a
AyAzzzyzzb:and fix
yyyyzFyxzb:and list
xADzzyyyzb:and pdf
zzzzzzAzzb:and push
yyzzzCBxzb:and tell
uEBFyyvwyb:and the
EAyyyyxyyb:and then
zyyByzxDyb:and write
AwxyHyyzyb:any more
yxEyyzAyzb:apply the
zzyxzyzEzb:are slow
yzzzzAzByb:are there
yAzzyzCzyb:as a
ywBzzEyyzb:as it
yByCyzyzyb:as well
yyyzzyDBzb:at the
yCyzzzzzzb:avec photo
yEyyyyyzzb:bar on
GvyyxyyyDb:be closed
zyzzzxzDyb:be to
yzzzzBzzzb:before i
zBzzzzzzzb:before they
yyDCzzvyzb:between the
BxByxByyzb:bitte den
yEyyzzyzyb:botón para
yDzyBzxzyb:build a
xxzyzyFyzb:builds on
Czzzzyzyzb:button does
yxAFzyxyyb:by feature
yyCzzzzzzb:by native
AyzAAzxCxb:can you
zzzzzxzsJb:capital of
zywEyzzzzb:cases in
yxyyDyyByb:ce fichier
yyGzyBxxyb:cette fonction
zzzzzBzzzb:change anything
xHxAyyxyyb:change the
wBxyyyGyzb:changes and
yzCyzzzzzb:changing what
wxxBxJxyyb:check the
yyyyzADyzb:check whether
zyCzzzyzzb:class components
zzAzyzBzzb:clean up
xAyyyyyEyb:click on
zyBzzCzxzb:code and
xxCyJvxyyb:code auf
xyEyxAzzzb:code in
zzzzzBzzzb:code review
zAyyCzyzzb:comments to
yzzzzEyyzb:commit and
zyCzzzyzzb:components to
yyyyFzzyzb:contributing md
yxHByzxzvb:convert the
AzzzAzzyzb:correct it
yDzyyzzyzb:could you
yyyEzzyyzb:cover the
yyxFyzyzzb:coverage of
yExwAxFxwb:create a
yyyzyHyyyb:critique the
yDzzyzyyzb:csv and
yDzzzzyyzb:customer for
Exyyyzyzzb:dark mode
zAzzzzAyzb:database and
yyyDyzyzzb:de pagos
yCyzzzzzzb:de profil
zzFzxyyzyb:dead code
yxDyyyByyb:delete the
wxGyIuxyyb:den code
yyyzyzEyyb:den server
zzBzzyzCyb:dependency injection
zzzzyyzCzb:dev server
yxyyFzzzzb:diagram in
yzzzzuzJwb:did you
yxwyMywyyb:die dokumentation
xxGBxzyzyb:die klasse
zzzzzyzExb:difference between
yzzzyxyGxb:do i
zzzzzxztIb:do it
zyyyyyyyFb:do that
zzzzzxzExb:do we
zzzzzIzuwb:do you
yyyzyzDzzb:docker compose
Czzzzyzyzb:does nothing
CyzyxvyGyb:does the
zzzzzDzvzb:does this
zyyyyFyyzb:double check
yzyyyyyxHb:e mail
xxIwzyyzzb:each other
yyxzCzzBzb:environment variables
zzyzyzzBzb:error handling
yyyDyzyzzb:escribe pruebas
zzCzyxyAyb:esta función
yyuyJxwExb:este código
xyyyyzHzzb:every night
zyyzCyzBzb:explain the
zzzzxxzEzb:explain this
yyyzyzyFyb:explique moi
zyyzDzyzzb:exported types
yEyyyzyyzb:extend the
yyCzzzzzzb:extract the
yCyyzyzAyb:failed webhooks
zyzDzzzzwb:failing test
yyzzyIwxyb:feedback on
yxyFzzzzyb:file by
yCwyyzEyzb:file in
yCyzzzzzzb:filter by
ExxyyyxCzb:find out
Czzzyzzzzb:find the
CyzAzzzyzb:fix it
AyAzBzyyzb:fix the
yBAzzzyyzb:folder of
zyBzyzzAzb:folder structure
xyxxwyPxub:for a
zyyyDzzzzb:for all
zxyyHzxyyb:for beginners
yyyyyyyzHb:for my
zyyzAyzCyb:for our
rGsTDvzttb:for the
yzxzyvCFyb:for this
ytyGxzyyEb:for three
CyBzxzzyzb:for users
yJxzyzwyxb:form to
FCyvDwvBxb:from the
yyxzFzyzyb:from v3
zyyCzzyzzb:für die
zFyyyzyyzb:generate a
yyByyyCyzb:get rid
Gyyzyyzxzb:getting a
xywzAzEzzb:git history
xxxBxCvHyb:give me
zzzzzyyzCb:go ahead
yyyzzHxxyb:go through
FvxyyExyyb:go to
yyxzFzyzyb:guide from
wyyyyzJyyb:helm chart
xEyyzzyzzb:hide the
zzzzyxyFxb:how do
zzzzzwzDzb:how does
yzzzyyzuGb:how many
yxyyKyxyxb:how to
yyyzzCzzyb:how would
zzzzzyzCzb:i don't
xyyyyzxyIb:i meant
yzzzzBzzzb:i merge
AzyBzzzyzb:i need
wxyyzyEDyb:i want
yCzzzzzzzb:i'd like
wIxyyyyzzb:if the
zDyyyzyzzb:implement the
FvAADyxvyb:in a
yxxyJyyxyb:in contributing
yxyyFzzzzb:in mermaid
yyEyxzzzzb:in packages
yBCxxAyyzb:in src
CEmzBxDDvb:in the
yyxyxCCzzb:in this
zzzzzzBzzb:install the
zAFxyyyyyb:instead of
zyxEzzyzzb:integration tests
xFCyyyxyyb:into a
yyCzzzzzzb:into its
yyyzyzEzzb:into one
yyDzzyzyzb:into smaller
yyyyAzCzzb:into the
AyCzzyzDvb:is a
Hxyxyzyzyb:is empty
DyxCyzxyzb:is expired
zzyzzBzzzb:is it
AyyAAyyzzb:is missing
zzzzzDzwyb:is my
xAyyyvFpNb:is the
zzzyzwzFzb:is there
uywyyFyFxb:is this
zyxyFAyxyb:is wrong
AyyyyzCyzb:it and
yyzzzwzIxb:it be
xAzzBzzzzb:it in
AvDyyDyxyb:it is
AAyzzzzzzb:it should
Dyxzzzzzzb:it shouldn't
wyEzzzzzzb:it takes
wzAzCzzzzb:it up
yyEyyzyzzb:its own
yxCzyzAzzb:keep the
yyyzyFzxzb:last commit
xxyyHzyzzb:last three
yCzzzzzzzb:like a
zzzzzzCyzb:lint and
ywxyyDxFyb:list the
yyCzzzzzzb:lodash by
xxxyyDDAyb:look at
zzzzzCzyzb:look over
zzyzyxEyzb:mach einen
yyyzzDzyzb:main and
xHuxyzyEyb:make a
wxDByyyzzb:make it
zwxFzzzzzb:make sure
DEzyxyxxyb:make the
zxIyzyywyb:make this
yBxDzyxqIb:me a
yyyyywyIyb:me an
yyzzzGwxzb:me feedback
yxxyyyHAyb:me the
zyzyzAByzb:me what
yxyyFzzzzb:mermaid for
yyxzFzyzyb:migration guide
yDyzzzyzzb:minute per
yxyFyyyzzb:mock the
Exyyyzyzzb:mode toggle
yxDyyzByyb:move the
yyyzzDzyzb:my branch
ywxzyAGyyb:my changes
yzzDzzyyzb:need a
yxxzzyzGzb:no changes
AxzzzyDyzb:node 22
xyyyzzyyGb:not what
Byzzzzzzzb:now it
xzzzzCzzzb:o que
zCyyyyyCxb:of a
xACzzyyzzb:of each
zyCzzzyzzb:of it
zyyyyEyzzb:of our
ywFtICBtvb:of the
yywzBByAzb:of this
Exyyyzzzzb:off by
wyFyzzyzzb:on each
owuCBLLtvb:on the
yEyyyyyzzb:on top
xBEyzzwyyb:one file
DxxzyyCAyb:only the
Czzzzzzzzb:only with
zyyzywGzyb:open a
yxzzzwDCzb:our ci
zzzzyCzyzb:our style
zxFzzzxyzb:out of
yyyyzzyFzb:out which
Fyzzzyywzb:out why
yyCzzzzzzb:own module
yCyzzzzzzb:page de
wAxyJzwzzb:page with
yyyEyzyzzb:para el
yDyzzzyzzb:per minute
zzyyyzCzzb:pick the
ywyByzxFzb:plan for
zEyzyyyzzb:please create
Byzzzzyzzb:please find
zyzzyzyzDb:poem about
yCDyyzyyzb:port the
Dyzzzzzzyb:press save
Fwyyzzzyzb:price is
yCyzzzzzzb:profil avec
yCzzzzzzzb:progress bar
yyyDyzyzzb:pruebas unitarias
yzCzzzyzzb:public api
xwwxCLAwwb:pull request
xDyyCyyyyb:put a
yyyzyzEyyb:python 3
zyyzzGyvzb:quality of
Eyyyyzyyzb:quand la
yyGzywyByb:questa funzione
yzzBzyzAzb:questo modulo
zzzzzvzEzb:qué hace
xDyyyzxDzb:read the
zzzzBzzzzb:readme for
xxyyzzFyzb:redis and
zyzAzzzzzb:regression test
zyzyGyxzxb:release notes
yyByDzyzzb:remove the
yyDzzyzzzb:rename the
yyCzzzzzzb:replace lodash
ywDAzzyzzb:replace the
zyyzzzDzzb:resolve the
zyFyyzyyzb:restructure the
zyzBzyzBzb:retry logic
zzzzzBzzyb:review my
yyyzzDzzzb:review of
zzzzzBzzzb:review pr
zzzzzCyzzb:review the
ByyzAzzzzb:rewrite it
yxFzyyzyzb:rewrite this
yyByyyCyzb:rid of
zzzAzzzzzb:right now
zyyyyzyEyb:row is
zzzzzzCyzb:run lint
xyyyywFCzb:run the
zEzyyzyzxb:script that
zyzyyDyzzb:security problems
xEzyzzzzzb:see a
AzzzzAzzzb:self items
zzzzzzAzzb:set the
yyxAByDyxb:set up
ACyyyyzyzb:should be
yxzzzyzvHb:should i
xwxxyyGEyb:show me
FExyxywwzb:show the
xCEyyyxyyb:so that
yzzyzBzzzb:something in
ywyGyzzzzb:spec ts
yxvFyzzCyb:split the
zzzzzzBzzb:start the
zzzAzyxCzb:starts the
zAyzyzyzCb:step 3
zzzzyCzyzb:style guide
zyyyEzzyzb:summarise the
yxyyxxyEFb:summarise this
zGyyxzxyyb:support for
yyFzyzyyyb:switch from
yCwyyxDAyb:switch to
zywIyyzwzb:table driven
zzyyzEyyyb:take a
xxxyyDzyEb:tell me
zxzEyzzzzb:test for
ywyIyzyyxb:test that
yxyOxyvvyb:tests for
yyyFyzxzyb:tests für
xyyDzzzzzb:tests in
zyxHzzwzyb:tests to
yzyzyyyzDb:thank you
yExByyyyzb:that it
DyyAyyyzyb:that the
zCwCyzzzzb:the amount
vvCzAxIzxb:the api
zxxCyyDyyb:the app
zyyyyCyCyb:the architecture
yxzBzzxCzb:the billing
zByyyzExzb:the bot
xyyDzByyzb:the branch
BAyzyzzzzb:the browser
BvwyyyEEyb:the build
AzyCyzyzzb:the button
zyzByyzCxb:the cache
zzzzzxzsJb:the capital
AwyEyzyzzb:the cart
Dzyzyzzzzb:the cause
wwyxLzxyyb:the changelog
wByyBzDyzb:the changes
yEyByzyzwb:the checkout
uuDyFJxtyb:the code
DxyyyEwyzb:the commit
yCyzEyyxyb:the config
xDzzzzzzzb:the customer
yyAxxxHBxb:the database
DAzyxzzyzb:the date
yyyxxDCyzb:the dependencies
yAyyACyyzb:the design
zzzzyyzCzb:the dev
zzzzzyzExb:the difference
zxywMytyzb:the docs
wFxyAzzzzb:the documentation
yywyyzGzzb:the env
yByzBzzyzb:the environment
yyyDyyyByb:the error
yyyEyzyzzb:the expectations
AxxzxzwyJb:the first
zxEzyyxAyb:the folder
CByyyzzzyb:the footer
yJyyyywyxb:the form
xywzAzEzzb:the git
yyEzzzxzzb:the global
xHvyyyyCyb:the header
wyHyyyyzzb:the import
zyCzzzyzzb:the imports
zxwwDDFuyb:the last
FAxyAyyyyb:the list
AyzyByzzzb:the login
xxxyyyKwzb:the logs
yAyzzzxCzb:the mail
xFyyyyzzzb:the map
wxEyyyCyzb:the memory
zBxyyzDyyb:the merged
zzzzzwADzb:the migrations
yyyDyyCwzb:the network
AAwwFBAwxb:the new
yDzzzzyzyb:the number
xwAxJywAyb:the old
uCxCyyyDyb:the order
yyAzyzCyzb:the package
ywGyyzzzyb:the page
CAxCxzyyyb:the parser
xzzzzzHvzb:the pipeline
xyxyyywBJb:the plan
DwAzyyyzzb:the price
xxFyCywAyb:the project
yzCzzzyzzb:the public
zyzyGAwyyb:the pull
zyyzzGyvzb:the quality
DwyyyyyEyb:the queue
zuxyLzyyyb:the readme
AzzzzxzBzb:the reason
yyyBxyEyyb:the release
AAzzzzzzzb:the report
yDxAyyyAyb:the retry
zAzzzCzwzb:the right
EwCyyzyyyb:the same
yxyFAzyyzb:the scheduler
ByyzyzxxEb:the second
Cyyzzzzyzb:the server
yyDyzxByzb:the service
CByyyzyzzb:the sidebar
yxyIxzwzzb:the snapshots
zByyzByzzb:the spec
zyyzyzEzzb:the staging
yACyyzyzzb:the status
xGwxyyyCyb:the table
yvDAyzAyzb:the tests
yzyDzyyzzb:the token
zxyzyyyGyb:the two
zyDyyzzzzb:the unused
wDCyyEwxyb:the upload
vIzyyzyyzb:the user
DwxyxyzHxb:the worker
Kxyyxyyxyb:the wrong
yzzzzAzByb:there any
CByyyzyyyb:there are
AyCzzzzyzb:there is
zzyzzGyuzb:these tests
zyyzyDzAxb:think about
xyByzCzzzb:this class
yyxzDCyxyb:this code
xyGByswEyb:this file
xyAEyvyExb:this function
zzyzyCyCxb:this module
zywyxHBAwb:this project
zyyyyyCBzb:this service
CvxzyBuIyb:through the
zyzzzxBsHb:to a
xGyyxzyyzb:to be
uyBzEzyzzb:to date
zzyzyzEyyb:to five
zyCzzzyzzb:to hooks
yxyyyzyzGb:to italian
zzyzyzzDzb:to me
yAEyzzwyyb:to one
yyyzyzEyyb:to python
Fxyyyzyzzb:to run
zyzzzxzDyb:to support
HzyrzwHxwb:to the
yyEzzzzyyb:to typescript
yvyzzzyHyb:to understand
yyxzFzyzyb:to v4
zzxzyDvvFb:to you
CyCyyzxzzb:too many
yzDzzzyzyb:too much
zxyyHzxyyb:tutorial for
yyyyFzyzzb:typos in
yEyyzzyzyb:un botón
zxzDzzzzzb:un test
ywyzzzyFzb:understand the
yCyzzzzzzb:une page
zzzCzzxzzb:unit tests
yyyDyzyzzb:unitarias para
xxyyzzFyzb:up a
vyKxzxBxxb:up the
vzxyEyvzGb:up to
zwxEGyvyyb:update the
yyyzyzEyyb:upgrade to
zByzyBzyzb:upload endpoint
yCzyyyyBzb:use the
zzyzzwzEzb:use two
yCzzyzzzzb:users should
yyxzFzyzyb:v3 to
yyyzAzzCzb:variables we
zyzzyzCzyb:version 2
yxyzzzyEzb:want to
CxyCyzyBxb:we have
xAyyzyyDzb:we need
yyyzAzyDzb:we read
xzyyDyzAzb:we use
zzzzzEzvyb:what do
zzzzzxzCyb:what does
yzyzHyzvyb:what each
xyyzyyzFyb:what happens
xyyzxzyyGb:what i
DyyAyvyzBb:what is
yyAyyyvJxb:what the
yzzzzwzADb:what's the
zzzzzBzvCb:what's your
AEyyxzyyyb:when a
Cyyzzzyzzb:when i
EByyyzxyzb:when the
zzzzzyzBzb:where is
wwyCyzxGzb:where the
yyyyzADyzb:whether the
yxzzzzzCzb:which files
yzzzzwzFxb:who calls
zzzzzzzAzb:why do
yzyzzxFxzb:why is
zzzzyyzCzb:wie funktioniert
CzABwxCAvb:with a
DxzzDzzwyb:with an
AsvyIxtvMb:with the
yzCyzzzzzb:without changing
xFyzzyzyyb:would be
zyzzzxzDyb:would it
zyyzzHyvyb:would you
xDxAuyCxCb:write a
yyyyyzyzFb:write an
zyyBGyvyyb:write the
zzyzyyzDzb:you explain
yDwyCzzzzb:you make
zyzzzCzzzb:you review
zzzzzAzyzb:you see
zzzzzFzwxb:you spot
zzyzyDyvDb:you think
zzzzzCzxzb:you would
CyyzBzyyzb:à jour
yxvELxtyyb:작성해 줘
xCxxFyyzyf:a
uEBCExxwwf:add
Dyzyzzzyzf:after
yGxyyzyyyf:agrega
xExCDywyxf:ajoute
yLyywyxyyf:allow
xxGyyyByzf:apply
xzywyIzyyf:are
wByzyyxyFf:as
yyyDzzyzzf:añade
xywyyMyxxf:be
zzzzyxzEyf:best
xxyyxxyyKf:birthday
CxCyxCyyyf:bitte
xxDyyzwyDf:both
xJyyyzxyyf:build
yxxzyyIyyf:bump
yvwzzCvKwf:can
xLwxyzxyyf:change
xxwvwJHxxf:check
yyIzyxyxyf:clean
zyzzzDzzyf:code
zzyzGtyCyf:comment
zxyzzyHyxf:commit
ywwyxDvLxf:compare
yxyyxzJywf:configure
yyyzyzxzFf:continue
vuFBwyvxJf:convert
yzyzzCzAyf:cosa
wCyxyxyGyf:could
xyyHyzyyzf:cover
xuwHAxJwvf:create
yxxyxKxyyf:critique
EFyyyyxyuf:dark
ywFyyyCyyf:delete
yyyzyzIzvf:deploy
zzzzzDzxzf:did
zFwyyzyyzf:die
yyzzzBysHf:do
yyyzyzFzxf:docker
zyxzGzyyzf:document
xyyyyGyBxf:does
Gxyyyzyyyf:el
yxyCEzxzyf:ergänze
yyyEByxyxf:escreva
yyxFCyxyyf:escribe
xwwyHxxIvf:explain
yyxyyyyHyf:explique
yGyyyzyyyf:extend
yyEyzzyyzf:extract
twuxxCxRyf:find
AxxzGyxyyf:fix
xHyyyyyyyf:füge
yEwBByxyyf:generate
xxDyxyEyzf:get
Jyyyxyywyf:getting
yyyzyyLyuf:git
xxxwwFuLyf:give
wwxyyJvAEf:go
yyyzyxxDCf:good
xEyzyzAyyf:haz
uyyzyzxzJf:hello
BxyzyywyFf:hey
wxyyFrxuOf:how
xwvzxwCGEf:i
yDzyzzzyzf:i'd
xuyyyCyIyf:i'm
CHwxyyxyyf:if
DExyyxxyyf:il
xNwxxyxyyf:implement
xywIyyyyyf:increase
zzyzyzCzyf:instala
zyxyxwIyzf:install
xyxyyHyBxf:is
AEyzyyyyyf:it
yyyzyyvyJf:ja
Iwxyyyyyzf:la
wLxyyyyyxf:let's
xvvywFwMyf:list
xywyyzyJyf:look
yyyzywGyyf:mach
yEKCuvuzuf:make
yyyzzxIzwf:merge
xxFDxyxyyf:migrate
xvIyyyBxyf:move
xOxywyxxxf:new
yFxyyyvyEf:next
LwvxxywtJf:no
FwyyyCyzyf:o
yyyzyyxyIf:ok
GAxyyyyyyf:only
yyxzyyxyIf:oui
zwDxzxHwyf:our
xuxxxyyGFf:plan
vGvEBCvxxf:please
xCEByyvyyf:port
zxxzyzHyxf:publish
yyxzyxLyuf:push
wEwyGyxyyf:put
zyyzzAzCyf:que
yyyzyEzyyf:qué
wFxyxywFzf:read
zzyzDzzyyf:readme
yyyzyyHyxf:rebase
yxJyyyxyxf:reduce
zyHzzzvyyf:refactor
xyyyByFzxf:release
xxGBCxwyyf:remove
yxKyyyxyyf:rename
xuKAyyxyyf:replace
CyyyyzByyf:resolve
yyyzzzHzxf:restart
yxIyyyxyzf:restructure
yyyyyKwywf:review
xwFyDyyyzf:rewrite
yxxvyyPxxf:run
yyyEBzxzzf:schreibe
yyyCDzyyyf:scrivi
FuxyxyxIxf:search
yxxBxyIyxf:set
ytyzzExEyf:should
vCvxxxDFyf:show
yyyzyzxyHf:sim
yyLyyyxyvf:simplify
ywEFyyxyxf:split
yyxyyzGyzf:squash
Fyyzyzyyyf:still
yxxzyyGyBf:stop
xuwxEwxEGf:summarise
xJxyxyyyyf:support
xxIzyzyyyf:switch
yyyzyzxzEf:sí
yxxyzGyyyf:take
yxxyyuwGHf:tell
yyyuyzxzKf:test
yyyzyyxyFf:thanks
AyyyyzzzCf:that
GhDEGvAtEf:the
BxDyzzzyyf:there
xyICywyxyf:this
xxLyyyxyxf:too
ywxyBzxyHf:translate
xFDyyywyyf:turn
yyzzyyEyyf:undo
wvwIEyAxyf:update
yyyzyzGyyf:upgrade
xAHFwxvwxf:use
AEyyyyyyzf:users
Kyyzywzuyf:warum
AKxDxxxtyf:we
wxxyDvwCFf:what
yyyyyyyvKf:what's
qHxyyxyIyf:when
zyzzzyzDzf:where
yzzCzvzDyf:which
wyyyyqywUf:who
CyyywuHAxf:why
zzzzyyzDzf:wie
yCyzyFyxxf:would
vBuBFvxvHf:write
yxxyyywyKf:yes
EyyzyDxwzf:your
yyyzyzxzFf:да
wIuIExuwvf:добавь
xIvGFxtwvf:напиши
xIxyxxGxuf:сделай
zzyzyGyxyf:что
vvKFwvvCyf:이
ywxDxyGyxf:테스트를
zMuyGwwtwl:a
pIAOIvupul:add
xBwywzHyyl:add a
zwyxIzyzyl:add comments
zzzFzyzvzl:add tests
Fyyyyzyyzl:after
yKxyyyxyxl:agrega
yGxyyzyyyl:agrega un
yyyzyyxyGl:ahead
zyyzzyyzEl:ahead 
wGvEExvxxl:ajoute
yEyDxyxyyl:ajoute un
xQxyvywxxl:allow
yyyzyxzGyl:any
zzzzzFzuyl:anything
wvJyxyByyl:apply
xxGyyyByzl:apply the
wyyvyMyyxl:are
xzyzzAzCyl:are there
vDyyyyvyIl:as
yxyFzzyzzl:añade
Qvvxxyyyyl:beim
zzzzyvzGyl:best
wwxxwxxyQl:birthday
xxFyyyvyGl:both
vyJyyxyyzl:break
ryyyMzyzzl:bring
vSwxxyvxxl:build
yFzyyzxyyl:build a
ywwyyyNyxl:bump
Mwxyyzvxzl:cannot
wKsLvyuxxl:change
xIwByywyyl:change the
rutGuMKvwl:check
vyxExEyzzl:check the
yyyyyAEyzl:check whether
yyMyxwxxxl:clean
zyAzyyCzyl:clean up
DxwyyxHxyl:close
yyyyyEyzyl:code
zyzzzDzzyl:code review
zzxzKqxDyl:comment
ywyyyxLyvl:commit
xuuywEtSwl:compare
yvyyxyNyvl:configure
yxxyxywyLl:continue
zzzzzzyzCl:continue 
usICvxtwOl:convert
xwLCxzxytl:convert the
AxxyJyxxyl:correct
AzzzAzzyzl:correct it
yzxzyDzAyl:cosa
wyyKyyxxzl:cover
xyyHyzyyzl:cover the
vCuLyuLusl:create
xGxvBwIxvl:create a
ywwyxPwxyl:critique
yxxyxKxyyl:critique the
HCwyxyyxzl:cursor
HJxyyywyrl:dark
CBDwtusvPl:das
xvIxxxExyl:delete
ywFyyyCyyl:delete the
EwDxvExyyl:den
yxyyyyMytl:deploy
yzzzzEzvzl:did
yHAywxyyyl:die
uAuwwAuyTl:do
zzzzzFzxwl:do you
yyyyyzIywl:docker
yxwyJzxxzl:document
wxyyyKxBwl:does
yyzyzvyHzl:does the
zzzzzHzszl:does this
xxxzxzxLxl:don't
yxxxyNwyyl:double
yyxyyIxyyl:double check
Kwxyyyyyyl:el
ywyEGywyyl:ergänze
yyxHDywyxl:escreva
xxwHEyxyyl:escribe
yyyFyzyzzl:escribe pruebas
Lxxxxyxyyl:expected
wuuxKtvTtl:explain
yxxyDyyBzl:explain the
zzyzxxyGyl:explain this
xxxyxyyMyl:explique
yyxyyyyHyl:explique moi
xKxyxzyyyl:extend
yGyyyzyyyl:extend the
yxGyyyyyzl:extract
yyEyzzyyzl:extract the
KsqvtBuTxl:find
GxxyyyxEyl:find out
Eyzzxzyzzl:find the
EwwzJxwwyl:fix
Bzzzzyzyzl:fix it
AyyACyyyzl:fix the
wLxyxyxyyl:füge
xHvCBywxyl:generate
zHxyyzxyzl:generate a
BtKwvyDxxl:get
xxDyxyEyzl:get rid
Pxxywxyuyl:getting
Jyyyxyywyl:getting a
xxxyyyRyrl:git
uuACvHrMxl:give
xwwBwFuIyl:give me
yyyzyyvyJl:go
yyyzzywzGl:go 
yyyzywwFEl:good
Gyxzyyyyyl:happens
wHxyyyByyl:haz
yyyzzzxzFl:hello
zyzzzzyzDl:hello 
vLyyyyxyzl:hide
wHyyyyyyzl:hide the
vsvwMtuxRl:how
zyyzywyIwl:how do
zzzzzvzEzl:how does
yzzzyyzsJl:how many
zxzyNyytwl:how to
yyyyyEzAyl:how would
GHvxxwwyyl:il
wUvwxxwxxl:implement
zEyyyzyzyl:implement the
yyyzBzByzl:in
xxvNyyxyyl:increase
zzyzyzEyyl:instala
zywywvNxyl:install
zzzzzzBzzl:install the
xFHxyyuwyl:introduce
wxvxxPxCvl:is
yzyzzCzzyl:is it
zzzzzFzuyl:is my
yyzyzvzHzl:is there
yzyzzHzvyl:is this
TBBuuvvwwl:it
AyBzzyzzzl:it is
AByyzzzzzl:it should
vyGzzzzzzl:it takes
yzByDyxyyl:it's
xxxyyyuyOl:ja
Muxyyyyyyl:la
wtuxvHuSxl:list
yvwyyFwIyl:list the
vwvyyCxNyl:look
yzzzzDzxzl:look over
yxxywvHxFl:mach
yyyzywGyyl:mach einen
BJJFxrqyrl:make
wKswxzxGxl:make a
vxFCyyyzzl:make it
FGAywxwwxl:make the
yxLyyxyvyl:make this
xyxzywNyul:merge
wxIFwywyyl:migrate
xwxMxyyyyl:mock
yxxIyyyyzl:mock the
xuMxyyCxxl:move
ywFyyzCyyl:move the
yHxyzzxyzl:name
yEyyzzyzzl:name 
uQvxuxvHwl:new
yKxxyyvyBl:next
yGxyyywyAl:next 
GlJwpurOIl:no
xzyzzzyyFl:no 
xxwyyyyJyl:no changes
AwxxAyxxJl:not
yyzyAzyyEl:not what
CxCyxzyzzl:nothing
IuxxxExyxl:o
xzzzzDzzyl:o que
yyyzyywzHl:ok
yyyzyzxzEl:ok 
yCxyyyxyGl:one
HsBxwMuywl:only
FwwzyyyDyl:only the
DxyyxvJyxl:open
yxwyyyvxNl:oui
yyxzyyxyIl:oui 
zvFvzvLvxl:our
Iwyyxzyzyl:page
xrxxxyyKIl:plan
wEGBxyuxyl:port
xDExyyxyyl:port the
FyxAyyxyyl:property
ywwyxyNywl:publish
vxMyyyyyyl:pull
yxxyywRysl:push
zyyzzzGzvl:push 
tGzxJxwwxl:put
wFxyDyxyyl:put a
yyxzzAzDyl:que
yyyyyHyyyl:qué
yzzzzuzHzl:qué hace
tGvxwyuOyl:read
wFxyxywFzl:read the
zzyzFyyyxl:readme
yxxyxyLywl:rebase
yxOyxywxxl:reduce
yyMyyytyyl:refactor
xxxxDyIywl:release
wsIJCwvxxl:remove
yxBxEzyyzl:remove the
xwPyxxwyxl:rename
yyEyyyzzzl:rename the
wsPAxyxyyl:replace
yyEyzzzyzl:replace lodash
yvFByzyzyl:replace the
DxxyyyDyyl:resolve
xxyyyyKyvl:restart
ywMyyywyyl:restructure
yxIyyyxyzl:restructure the
xwxyxVuyul:review
zyzzzCyzyl:review my
zyzzyCyzzl:review pr
yyyzzEyzyl:review the
uvHxHxyxyl:rewrite
yxHyyyyyzl:rewrite this
uwwywxWwwl:run
xyyzyzGyzl:run the
QuAyyvwyxl:same
yxxGCywyyl:schreibe
xxxDFyxyyl:scrivi
HrxxwywNwl:search
xxwBxxNxwl:set
yyxByyHyxl:set up
yxDBzzyyzl:share
sJtwwwEIxl:show
xvwyyxFHyl:show me
xJyyyzwyzl:show the
xyxzyywyKl:sim
yyyzyzxyHl:sim 
yxQyyxvytl:simplify
zzzDyzyyzl:skip
Muyyyyyyyl:sort
wuIIxxwxwl:split
yxwyyyKyyl:squash
yyyDyzAyzl:start
yzyyyzxzFl:step
Owvyxyxxxl:still
ywwyxyJxCl:stop
wsvwGvvGKl:summarise
yyyyGzyxyl:summarise the
xwxyxxxGHl:summarise this
xOwxxyxxyl:support
wxMyxyxxyl:switch
xxIzyzyyyl:switch from
yyyzyzwzHl:sí
yyyzyzxzEl:sí 
zyxyxzHyyl:tag
FvwyyJyxxl:take
AxxyzGyyyl:take a
xwwxxrvKKl:tell
yxxyyuwGHl:tell me
xxysyzwzPl:test
yyyyyxyyIl:thank
yyyzyyyzFl:thank you
yyxyyyxyIl:thanks
yyyzyyxyFl:thanks 
BxyyyyyyEl:that
vMzFCqsmJl:the
xxyyHzyzzl:the api
yGyByzyzvl:the checkout
tyyAHzzzzl:the code
yyyDzzzzzl:the tests
CuDxxyxwHl:there
BxDyzzzyyl:there is
vrJDxNvqxl:this
yFyxxywDyl:three
wxyyyPvvyl:through
ywMyyywxyl:tidy
wxRxxyvywl:too
uwxxxvxVyl:trace
xvwyCywyMl:translate
wHFxyxvyyl:turn
Dxyzzzzzzl:two
xvyyyyyLyl:understand
yyyyxyHyyl:undo
oqtHIxOwwl:update
wvxHJyuyyl:update the
wrxyxyIIxl:upgrade
yyyzyzGyyl:upgrade to
lyUEzusEvl:use
zGvzyzyyzl:use the
yLyxxyyxyl:users
yDzzyzzyzl:users should
xuyMxyyyyl:verify
yywzyyvwNl:wait
Qyyyyuysyl:warum
AwwxFsvBIl:what
zzzzzGzuxl:what do
zzzzzwzEyl:what does
CzyzyvyACl:what is
xyyyyxxuPl:what's
yyyzzvyAFl:what's the
yzzzzCzuDl:what's your
mLxyyxyMxl:when
yyzyzxzFzl:where
zyzzzyzCzl:where is
xvyDytyLxl:which
yxzzzzzEyl:which files
uxxxxmyvYl:who
yzzzzvzIwl:who calls
DyxxvoLFwl:why
zzzzzzzAzl:why do
xzyzzwIwzl:why is
wwxyIwyEyl:wie
zzzzyyzDzl:wie funktioniert
vLxyHyyswl:with
xFyyyyzzzl:with a
sBsDNswrKl:write
wFwAsyEwEl:write a
yxyyxzyyIl:write an
yxxyxxvyQl:yes
zyyzyzyzDl:yes 
GxxyyEwvyl:your
yyyzyzwyJl:да
yyyzyzxzFl:да 
vMsMGwrusl:добавь
vMtKHwqvsl:напиши
wNvywxJxrl:сделай
yyyzyJyvxl:что
ttPHvttExl:이
yuwGwxJyxl:테스트를
JIBBvAturlength:12
poppxvKwYlength:2
PDBzxytuqlength:40
lpzqAzJKKlength:5
CByyyyzzylength:more
wACvytGqKmood:order
ojilqYpYFmood:question
YxywAlvqFmood:statement
lUusnzyMDmood:wish
xswyGAwzFp:abo
zrxzEAxAGp:abou
xAyzCzyzyp:abov
DFwxxzyyyp:acc
DCxxyzyzyp:acce
BDyxyzyzyp:accep
ADyxyzyzyp:accept
yDyyyzzzzp:acco
yDyyyzzzzp:accou
yDyyyzzzzp:accoun
wxyxzzIzyp:act
vyyyxzJzzp:acti
vyyyxzJzzp:actio
AyyzBzyzzp:actu
AyyzBzyzzp:actua
zByByzyzzp:add
AzzByzzzzp:addr
AzzByzzzzp:addre
AzzByzzzzp:addres
xDxEyyxyyp:adi
xDxEyyxyyp:adic
xDxEyyxyyp:adici
xDxEyyxyyp:adicio
xFyAyyyyyp:adm
xFyAyyyyyp:admi
yCzAzzzyzp:admin
NywAxywxxp:aft
NywAxywxxp:afte
GCuzxAxxyp:aga
GCuzxAxxyp:agai
wGxAyAxyyp:again
wGxAyAxyyp:agains
xFyzAyyyzp:agg
xFyzAyyyzp:aggi
ADyyyzyzyp:agr
ADyyyzyzyp:agre
yDyzzzyzyp:agreg
zzzzzzyzCp:ahe
zzzzzzyzCp:ahea
yCyBByxyyp:ajo
yCyBByxyyp:ajou
yCyBByxyyp:ajout
zyzzCDzuzp:alg
sPCywywxxp:all
vFEyxzxyyp:allo
AxyyyyCBzp:alo
AyyyyzCyzp:alon
yyzBywzEzp:alr
yyzBywzEzp:alre
yyzBywzEzp:alrea
yyzBywzEzp:alread
zCyyyzAyzp:als
zzyzyyzFxp:alt
zzyzyyzFxp:alte
zzyzyyzFxp:alter
zzyzyyzFxp:altern
zBwByzzzzp:amo
zBwByzzzzp:amou
zBwByzzzzp:amoun
FvxyyyvyGp:and
Fwyzzzzzzp:ang
Fwyzzzzzzp:ange
AAyAyzyyzp:ans
AAyAyzyyzp:answ
AAyAyzyyzp:answe
ByzBzzzzzp:answer
zxByyByAyp:any
xyCyyGywyp:anyt
xyCyyGywyp:anyth
xyCyyGywyp:anythi
yyEzzyzzzp:apa
yyEzzyzzzp:apar
xuExwDyyEp:app
yxDyyyAtGp:appl
xywyxEyFxp:appr
xywyxEyFxp:appro
yyxyyAzGyp:approa
yxyxBCyByp:arc
yxyxBCyByp:arch
yxyxBCyByp:archi
yxyxBCyByp:archit
ExAyyzyyzp:arr
zAzzyzyyCp:ask
wxyIyzzzyp:ass
wxyIyzzzyp:asse
wxyIyzzzyp:asser
zEyyyzyzyp:att
zEyyyzyzyp:atta
zEyyyzyzyp:attac
yyyyyEzyyp:aud
yyyyyEzyyp:audi
wxAywBvMxp:auf
CzzzyyzxBp:aus
CzzzyyzxBp:aust
CzzzyyzxBp:austr
CzzzyyzxBp:austra
vywEwDxCAp:aut
zzzzyzyzDp:autu
zzzzyzyzDp:autum
Dyyyyzzzzp:ava
Dyyyyzzzzp:avat
Dyyyyzzzzp:avata
yCyzzzzzzp:ave
zyzCzzzzzp:aña
zyzCzzzzzp:añad
DwuwwxLAxp:bac
CwxxxzEzzp:back
zABAyyzyyp:bas
yAzBzzzyzp:base
zyyAzzzzzp:bec
zyyAzzzzzp:beca
zyyAzzzzzp:becau
zyyAzzzzzp:becaus
Dyyyzzyzzp:bee
CIvyxyzxxp:bef
CIvyxyzxxp:befo
CIvyxyzxxp:befor
yAyyGzxyxp:beg
yAyyGzxyxp:begi
zxzyGzxzyp:begin
zxzyGzxzyp:beginn
BBDyxyxyyp:beh
yyFzyzyyzp:beha
yyFzyzyyzp:behav
yyFzyzyyzp:behavi
yCzzyzyzzp:behi
yCzzyzyzzp:behin
Ixxyyyyyyp:bei
AFxyyyyyyp:bel
AFxyyyyyyp:belo
ywBAxyuxLp:ben
vCwxFvxACp:bes
AuDBCwuExp:bet
BvEBywuExp:betw
BvEBywuExp:betwe
BvEBywuExp:betwee
xByAyAxByp:bil
yxzAzAyBzp:bill
yxzAzAyBzp:billi
yxzAzAyBzp:billin
yyyyyyyzGp:bir
yyyyyyyzGp:birt
yyyyyyyzGp:birth
yyyyyyyzGp:birthd
FxAyxAyxAp:bit
FxAyxAyxAp:bitt
Byzzzzzzzp:bla
Byzzzzzzzp:blan
CxDzxyzzzp:ble
CxDzxyzzzp:blei
CxDzxyzzzp:bleib
FwxyDzxzyp:blo
zyyzByyBzp:bor
AzzzzzzBzp:borr
AzzzzzzBzp:borro
DAzxxCuxCp:bot
yDyzzzyzyp:botó
wvvBzBKwyp:bra
wvvBzBKwyp:bran
wvvBzBKwyp:branc
yyxABzCyzp:branch
BxCyzxyAzp:bre
BxCyzxyAzp:brea
DyzyAzyzzp:break
zxyyDzzzzp:bri
wzzzEzzzzp:brin
Ezyyyzyyzp:bro
Cyzzzzzzzp:brok
BAyzzzzzzp:brow
BAyzzzzzzp:brows
BAyzzzzzzp:browse
EyvwzxFBwp:bui
EyvwzxFBwp:buil
yyzyzyEyzp:build
zyyzyzEyyp:bum
xyHyyyxzyp:bun
xyHyyyxzyp:bund
xyHyyyxzyp:bundl
zHyAvyyyyp:but
zHyAvyyyyp:butt
zHyAvyyyyp:butto
xwwzvvDNwp:cac
xwwzvvDNwp:cach
xyxyyyzIyp:cachi
xyxyyyzIyp:cachin
tyEzwzxEAp:cal
wBzAxEwCyp:calc
wBzAxEwCyp:calcu
wBzAxEwCyp:calcul
xwGzzwAEup:call
zyyyAzCzzp:calle
xMCwwyxxwp:cam
CBAyyyyyxp:camb
CBAyyyyyxp:cambi
vFCyxzyyyp:came
yFxzzzyyzp:camer
JsxCxyvyDp:can
FwyAyyzzyp:can'
ExyCyzxyzp:cann
ExyCyzxyzp:canno
zzzzzxztIp:cap
zzzzzxztIp:capi
zzzzzxztIp:capit
zzzzzxztIp:capita
HEuEvwuwzp:car
zMwyyywxwp:cari
zMwyyywxwp:caric
CuvJxyyByp:cas
zxwHyzzzzp:case
Czyzyzzzzp:cau
Czyzyzzzzp:caus
AxwyyzyyFp:cel
yxEyyByzyp:cet
yxEyyByzyp:cett
uzDyEyDAsp:cha
uxzAHAACup:chan
uxzAHAACup:chang
tuvyLyECxp:change
AyByzzzzzp:changi
ADxxxyEyxp:char
uAuCvKDyvp:che
uBvDvKAyvp:chec
yEyByyxAwp:check
zzzzzzzBzp:checke
yDyByzyzwp:checko
HxwyFwwBwp:cho
xyyzDxyByp:chos
GvyyzuyEyp:cir
GvyyzuyEyp:circ
BrQxxxvBwp:cla
BrQxxxvBwp:clas
EuHyyvwCxp:class
yBDyyxAyyp:cle
yBDyyxAyyp:clea
FDuzwxwDxp:cli
HyxxxyxCyp:clic
Fyyzyzxzzp:click
xEwByyyAyp:clie
xEwByyyAyp:clien
BGuAwwAAyp:clo
CBwxxxBByp:clos
ACyyyyyyCp:close
prKuEYmxqp:cod
zyHzywwBxp:code
zyHzywwBxp:codeb
zyHzywwBxp:codeba
yCzxyxyzDp:col
zAAyyyyAzp:colu
zAAyyyyAzp:colum
txrrUuIBwp:com
uurtRAPxpp:comm
xGyyyyxByp:comma
yDzzyyxBzp:comman
xzvwUwwwxp:comme
xzvwUwwwxp:commen
ytvxtEXyqp:commi
yyyzyyJzvp:commit
xDzvtwyDGp:comp
xEwywAsDFp:compa
yAxyxBwGxp:compar
yxyyAyxADp:compi
yxyyAyxADp:compil
EwAzxyCxxp:compl
FxwyyyDyyp:compla
zyDAyzyyyp:comple
xwEyxyEAyp:compo
xzFyyyyAyp:compon
ywyyyzGzzp:compos
xHyyyyyzzp:compu
xHyyyyyzzp:comput
xBuvCxzCEp:con
CyyyzByyzp:cond
CyyyzByyzp:condi
CyyyzByyzp:condit
wywxAxNAvp:conf
xyxxAxKAvp:confi
yxzzyxEDwp:config
zCyzyzzzzp:confir
zyzzzzCzzp:confl
zyzzzzCzzp:confli
IEwyxyuyxp:conn
IEwyxyuyxp:conne
IEwyxyuyxp:connec
AxEyyzxAyp:cons
rEvxHwyuIp:cont
vDAyxyHyup:conta
xFyyyzyzzp:contac
yxByyzIyvp:contai
yxwyxyuyPp:conti
yxwyxyuyPp:contin
wCwzLyvxyp:contr
xGxByywyzp:contra
yyyyHzyyyp:contri
yxAxEzyzzp:contro
xzCAxywyFp:conv
xzCAxywyFp:conve
xzCAxywyFp:conver
yxxzyxwBIp:coo
KvyxBAxwxp:cor
GwwyCAywyp:corr
AyyyDByxyp:corre
zyyyDByxyp:correc
zzyzzBzzzp:cos
AAyxyDyBxp:cou
xByyyDyBxp:coul
EvwJyywyyp:cov
DvwJyywyyp:cove
FwxFyyxyyp:cover
yyxEyzyzzp:covera
Hwyyyzxzyp:cra
Hwyyyzxzyp:cras
vEwDyxExwp:cre
xAxEzxExwp:crea
xAxEzxExwp:creat
uHwxxIxxyp:cri
wCxyyIxyyp:crit
yxxyyJxyyp:criti
zyyzyGyyyp:critiq
xxyAxzFzzp:cro
CFxyxxxAyp:cur
AEyyyzyyzp:curr
AEyyyzyyzp:curre
AEyyyzyyzp:curren
CAyzyzzyzp:curs
CAyzyzzyzp:curso
EzyAxyyyyp:cus
EzyAxyyyyp:cust
EzyAxyyyyp:custo
EzyAxyyyyp:custom
xwzyEIuBup:cód
xwzyEIuBup:códi
xwzyEIuBup:códig
CyyzyzyyBp:d'a
GuxyBCxvCp:dan
CFyyyzxywp:dar
zFxyyyyzyp:das
wBAwBtFCvp:dat
vxBxxvIExp:data
xxyxxvIExp:datab
xxyxxvIExp:databa
CxyyzyzBzp:date
zDyzzzzzzp:datu
xzyyyzByEp:day
AxDyxxyyCp:dea
uyzSwwsyyp:dec
xDyyyxyABp:deci
xuARxytxxp:deco
ywvSyyuxxp:decod
yCyzzxzByp:def
yDyzzzzzzp:defa
yDyzzzzzzp:defau
yDyzzzzzzp:defaul
CxwyyzyzFp:deg
CxwyyzyzFp:degr
CxwyyzyzFp:degre
CxwyyzyzFp:degree
AxBCwwAAyp:del
AxBCwwAAyp:dele
AxBCwwAAyp:delet
BwyCyxzBzp:delete
xwByvyMAup:dep
wxyAxAGAxp:depe
wxyAxAGAxp:depen
wxyAxAGAxp:depend
zAxyyxHzwp:depl
zAxyyxHzwp:deplo
uxvwGIzzvp:des
wxwxGyAFwp:desc
vwxxGyAGwp:descr
vwxxGyAGwp:descri
yAyyADywyp:desi
yAyyADywyp:desig
zzyCzzzzzp:det
zzyCzzzzzp:dete
zzyCzzzzzp:deter
zzyCzzzzzp:determ
yytzJwyByp:deu
yxyyCBByxp:dev
zyyzDyByxp:deve
zyyzDyByxp:devel
zyyzDyByxp:develo
vBxxIyyzyp:dia
xwyxJzzzzp:diag
xwyxJzzzzp:diagr
xwyxJzzzzp:diagra
xEyzyzzzzp:dial
xEyzyzzzzp:dialo
BxyyDxxCyp:die
zzzzzxzCzp:dies
CwxyyBzGvp:dif
DxxyyzyDxp:diff
ExxyzzyBxp:diffe
ExxyzzyBxp:differ
yAzzzzzAzp:dir
yAzzzzzAzp:dire
yAzzzzzAzp:direc
yAzzzzzAzp:direct
AAwxxvEBBp:dis
AxyyyzwDDp:disc
BxyzzzyDzp:disco
CDxyyyyyyp:disp
CDxyyyyyyp:displ
CDxyyyyyyp:displa
BxCyyzyzzp:div
AyCyzzzzzp:divi
AyCyzzzzzp:divid
usqsYvJuop:doc
yvwyuyVytp:dock
yvwyuyVytp:docke
zwyywzLzvp:docker
yyyyIyyzvp:docs
yyyyIyyzvp:docst
yyyyIyyzvp:docstr
wzuxWxvwwp:docu
wzuxWxvwwp:docum
wzuxWxvwwp:docume
JwzxAwtEyp:doe
GyyyBzxyvp:does
GyyyBzxyvp:doesn
GyyyBzxyvp:doesn'
xvvyRywyxp:dok
yxwyKywyyp:doku
yxwyKywyyp:dokum
yxwyKywyyp:dokume
uCwyCyxHyp:don
xvxyCyyHyp:don'
Jwyzyxyxyp:dop
CwCyyDxyyp:dou
CwCyyDxyyp:doub
CwCyyDxyyp:doubl
FyvxBxHwup:dow
AAxyxyIyvp:down
ACzyyzzzyp:downl
ACzyyzzzyp:downlo
GDwyCywvxp:dra
DAyyyzxyyp:draw
zywGzyzxzp:dri
zywGzyzxzp:driv
zywGzyzxzp:drive
FvDyyxyByp:dro
GwyyyxyByp:drop
AyyzzyzCyp:dropp
AyyzzyzCyp:droppe
AyxzyyFyyp:dum
AzIAxxwxxp:dup
AzIAxxwxxp:dupl
AzIAxxwxxp:dupli
AzIAxxwxxp:duplic
xyFyyAwByp:dur
xyFzyCwyyp:durc
vyLwFxxvxp:eac
Izxyxyxyyp:edi
DAyzxzyzzp:edit
yyxzzyxHyp:eff
yyxzzyxHyp:effo
yyxzzyxHyp:effor
vHvxBvBDxp:ein
wAxxCvCEyp:eine
yyKyyxxyyp:eli
yyKyyxxyyp:elim
yyKyyxxyyp:elimi
yyKyyxxyyp:elimin
Ezyzyyyyyp:ema
Ezyzyyyyyp:emai
IvyBxzyyyp:emp
IvyBxzyyyp:empt
wCxxCzxEwp:end
yzyyCzxFwp:endp
yzyyCzxFwp:endpo
yzyyCzxFwp:endpoi
yBAzzzzzyp:eng
xvDxDwxFyp:ent
xxyyDwyFyp:entr
CDvyAxyAyp:env
EywyByyAyp:envi
yAxyByzBzp:envir
yAxyByzBzp:enviro
yyyBCzyzyp:erg
yyyBCzyzyp:ergä
yyyBCzyzyp:ergän
yyyBCzyzyp:ergänz
GzwBxyxAyp:err
ABxBxzxAyp:erro
EvwFCywyxp:esc
yyxFCyxyyp:escr
zzyCAzyzyp:escre
zzyCAzyzyp:escrev
yyyCBzyyyp:escri
yyyCBzyyyp:escrib
zzyzzzDzxp:esl
zzyzzzDzxp:esli
zzyzzzDzxp:eslin
yyzyvvzDGp:ess
BsDwEztHvp:est
CsyvJxEAtp:eve
BxxyyByDAp:even
CyyzyzzAzp:event
xvBwLxGwsp:ever
ywGxCyExup:every
BxBywyGyvp:everyt
wyEyFyxyxp:everyw
xvyyHyBzxp:exa
wvyyHyBzxp:exam
wvyyHyBzxp:examp
wvyyHyBzxp:exampl
uxxEyyzFyp:exe
ACwyyywyFp:exi
BDxyyzyzzp:exis
yExzyzzzzp:exist
yExzyzzzzp:existi
BBuAztrSup:exp
DyyCyzxyzp:expe
DyyCyzxyzp:expec
DyyCyzxyzp:expect
CzxCyyxzzp:expi
CzxCyyxzzp:expir
CyxCyyyzzp:expire
xwuxyuwXwp:expl
yxxyDxxHxp:expla
yxxyDxxHxp:explai
yyyzyzyEyp:expli
yyyzyzyEyp:expliq
yGBwCywxyp:expo
yFBwDywxyp:expor
uFCxDywyyp:export
xFEwxyxyyp:ext
yIyxyyyyyp:exte
yIyxyyyyyp:exten
yxGyzzyzzp:extr
yxGyzzyzzp:extra
zyCzzzzzzp:extrac
ByxCxvCDwp:fai
CzyCxyAAwp:fail
yCyyzyzAyp:faile
zyzEzzzzxp:faili
zyzEzzzzxp:failin
xxyGzzyzzp:fak
CCyyyyyyyp:fal
zDyyzzzyzp:fall
zxDyyzzzzp:fas
xyEyzzzzzp:fast
xyEyzzzzzp:faste
yCzDyzwyyp:fea
yCzDyzwyyp:feat
yCzDyzwyyp:featu
yCzDyzwyyp:featur
yyzzyHwyyp:fee
yyzzyHwyyp:feed
yyzzyHwyyp:feedb
yyzzyHwyyp:feedba
CyxByyyzzp:feh
CyxByyyzzp:fehl
CyxByyyzzp:fehle
xwEyBwxFxp:fic
yxyzCyyBzp:fich
yxyzCyyBzp:fichi
yxyzCyyBzp:fichie
CByyCyyxyp:fie
CByyCyyxyp:fiel
yCzyzzzzzp:field
zEyyyrAEAp:fil
IxwyyyxByp:file
zGAyxyxyyp:filt
ABByyyyyzp:filte
EwvxwAxHyp:fin
BwwAyyxAFp:fir
yxwByyyAFp:firs
rHzCxyCyyp:fiv
zwyGyzyzzp:fix
xFzBzyxxxp:fla
yzyCzzzzzp:flak
Iuyyyyyyzp:fli
CtyzEyyAyp:flo
yxDzzAyzzp:foc
yxDzzAyzzp:focu
yAHvyzxyyp:fol
yzIwzyxzyp:fold
yzIwzyxzyp:folde
zByzzAzyzp:foll
zByzzAzyzp:follo
ExEyxAxyxp:fon
yyFzxAxzyp:fonc
yyFzxAxzyp:fonct
yyFzxAxzyp:foncti
BCyyyzyzyp:foo
BCyyyzyzyp:foot
BCyyyzyzyp:foote
GHuwBBxuwp:for
CAxyDyxyyp:form
GAxyyyyyyp:formu
GAxyyyyyyp:formul
wyEzzyyuFp:fra
yFxzuyzxDp:fre
yByyvzyzFp:fren
yByyvzyzFp:frenc
yyzyAyzyDp:fri
CwGwEArBvp:fro
wvPABluNtp:fun
ywJBytwEvp:func
ByBzywyCyp:funci
ByyzzxzBzp:funcio
zzCzzxyAyp:funció
wyICzwxBwp:funct
wyICzwxBwp:functi
yzBzyxzDyp:funk
yzBzyxzDyp:funkt
yzBzyxzDyp:funkti
yyFzyvyCyp:funz
yyFzyvyCyp:funzi
yyFzyvyCyp:funzio
yyyzFvxDyp:funç
yyvRyyuxxp:fuz
yEyzyzyzyp:füg
BxyEyyzxzp:gat
BxyEyyzxzp:gate
BxyEyyzxzp:gatew
BxyEyyzxzp:gatewa
xByDyxxByp:gen
xByDyxxByp:gene
xByDyxxByp:gener
xCxDzyxByp:genera
HCyxyyxxyp:get
CyyyDyyxzp:gett
CyyyDyyxzp:getti
CyyyDyyxzp:gettin
yCyyzzzzzp:git
yCyyzzzzzp:gith
yCyyzzzzzp:githu
xxzCxBwFyp:giv
xzFyyxxAzp:glo
yyFyyxxAzp:glob
yyFyyxxAzp:globa
CyzAzzyzzp:goe
zyyzzzxzDp:goi
zyyzzzxzDp:goin
vAuwwEzvNp:goo
wGyyyzyzzp:goog
wGyyyzyzzp:googl
yvwyyyvEJp:gra
CCvyyywyFp:gre
xAyzyyxyFp:grea
EBwyyzyzzp:gree
ywwyKBxxyp:gui
ywwyKBxxyp:guid
zzzzzwzEzp:hac
HsCwBAwzxp:han
FtDwBBwzyp:hand
GvDxwBwAyp:handl
AwEyyBxyzp:handle
zyAyyzyBzp:handli
Czzzzzzzyp:hang
AyyzyyyEyp:hap
AyyzyyyEyp:happ
AyyyyyyEyp:happe
AyyyyyyEyp:happen
BzyByxyuEp:hav
wFvxGywAxp:hea
xEvxFywBxp:head
xEvxFywBxp:heade
rzAyvxCyKp:hel
wyyzzzyzFp:hell
xCCzxyyAyp:help
xCCzxyyAyp:helpe
uGAxwFszCp:her
xEyzzzyzzp:hid
xDxyDyyyyp:hin
yEyzyzyzyp:hinz
xAwyzzDzzp:his
xAwyzzDzzp:hist
xAwyzzDzzp:histo
xAwyzzDzzp:histor
AyxzzytzJp:hol
AzCxByyyyp:hoo
yyEyyyzyzp:hook
xyBzyyExzp:hou
xGyyxzzzzp:htm
yyEzyyyzyp:htt
yyyyywzHyp:ide
BBwxxyGyyp:ima
BBwxxyGyyp:imag
BBxyxyCyyp:image
yNxyyywxwp:imm
CzIxvJrtvp:imp
xDBxxKvvxp:impl
xEBxxHvxxp:imple
xEBxxHvxxp:implem
FwIyxtvDxp:impo
FwIyxtvDxp:impor
yyEzyuyDzp:import
wyEzzFztzp:impr
wyEzzFztzp:impro
wyEzzFztzp:improv
suEELyvxvp:inc
yyxEyzyzzp:incr
yyxEyzyzzp:incre
yyxEyzyzzp:increa
ByDAxyyyyp:ind
ByDAxyyyyp:inde
yPxwwywyyp:inf
zzAzzBzzyp:inj
zzAzzBzzyp:inje
zzAzzBzzyp:injec
zzAzzBzzyp:inject
FwyCyyxzzp:inp
FwyCyyxzzp:inpu
uvyxEwSwup:ins
uvyxEwSwup:inst
uvtyFwTwvp:insta
uvtyFwTwvp:instal
zAEyyyyyyp:inste
zAEyyyyyyp:instea
rLEFxwxysp:int
wIzJwAsxup:inte
yGwJyyvyup:integ
yGwJyyvyup:integr
yBCzxBwyyp:inter
yDDyyzwyzp:interf
yBByByxyzp:intr
yCCyyyxyzp:intro
yCCyyyxyzp:introd
DCAxyyyzyp:inv
DyyyzzzAyp:inva
DyyyzzzAyp:inval
DyyyzzzAyp:invali
zCzzzzyzzp:invi
zCzzzzyzzp:invit
zCzzzzyzzp:invite
zBByzyyyzp:invo
zBByzyyyzp:invoi
zBByzyyyzp:invoic
HvyAyzyzyp:iss
GwyAyzyzyp:issu
yzAzBzyzzp:it'
yyyzyzyzFp:ita
yyyzyzyzFp:ital
yyyzyzyzFp:itali
yyyzyzyzFp:italia
Eyyyyzyyyp:ite
DyyyyAyyzp:item
yCAyzzzzyp:jav
yCAyzzzzyp:java
yCAyzzzzyp:javas
yCAyzzzzyp:javasc
ByyzAzzzzp:jou
xxAyGyxzyp:jsd
xxAyGyxzyp:jsdo
Dyyzyzzzzp:jum
Dyyzyzzzzp:jump
ByyzzxzBzp:jus
xxByyzzzEp:kee
yzzzzzCyzp:kep
ECwwwyDyyp:key
EDxwyyxzzp:keyb
EDxwyyxzzp:keybo
EDxwyyxzzp:keyboa
zwyFyyyAzp:kin
xxFBxzyzzp:kla
xxFBxzyzzp:klas
xxFBxzyzzp:klass
xBEyyyyyyp:kno
DytzJwywyp:kom
DytzJwywyp:komm
vxwxxyIEyp:kub
vxwxxyIEyp:kube
vxwxxyIEyp:kuber
vxwxxyIEyp:kubern
xGxzxzyzzp:kun
xGxzxzyzzp:kund
xGxzxzyzzp:kunde
xDyyCyyyyp:l'a
xDyyCyyyyp:l'ap
yAApxyGyEp:lan
yxzyyzxzGp:land
ADyzyzyzyp:lang
ADyzyzyzyp:langu
ADyzyzyzyp:langua
CwwxCCDvyp:las
xCyyzzBzzp:lat
xCyyzzBzzp:late
vGExwzxyyp:lay
CyxAyAyzzp:lea
zAzzzAzzzp:leav
CxyyyCwyCp:lef
xxFyyxyCyp:leg
xByyxyxAEp:let
xGyyyzyzyp:let'
yAzCyyyAyp:lib
yAzCyyyAyp:libr
yAzCyyyAyp:libra
yAzCyyyAyp:librar
DwyyyvyuLp:lik
wFxyvyByCp:lim
wGxyyzByxp:limi
xAyzzzCzzp:limit
LuDBwvzwxp:lin
wyHDyxyuyp:line
ADBvwIsAwp:lis
yEHxxyvxxp:list
yJAywyxyxp:liv
yOxwwzvyyp:loa
vuwCzzHByp:loc
xxxCAyCyyp:loca
yyyDBzyzzp:local
yyyDBzyzzp:locall
yyyzyAExyp:lock
yyCzzzzzzp:lod
yyCzzzzzzp:loda
yyCzzzzzzp:lodas
IvvzyuEBwp:log
HyxAzvvDxp:logi
yyABzyzAzp:lon
qqNvwJxyDp:loo
ywDyyyxyGp:look
Fyyzyzxyzp:los
yyyzywCABp:mac
vJywuHzsBp:mai
yIAyyzwywp:mail
BCDBywvywp:mak
AxzxAyCuEp:man
yDyyyBzyyp:mar
yEyyyzzyyp:mark
BxyyyEyzzp:mat
ByyyzByzzp:matc
xyyyDyxwGp:mea
xyyyDyxwGp:mean
zyCyyyByyp:mem
AxDyyyByzp:memo
AxDyyyByzp:memor
AExwByxyyp:men
yAzyCzyyzp:ment
yAzyCzyyzp:menti
yAzyCzyyzp:mentio
vvuvGEDvFp:mer
wxwxCFHwwp:merg
yyxxDCBxyp:merge
yxyyEzzzzp:merm
yxyyEzzzzp:merma
yxyyEzzzzp:mermai
AGxxxyyAyp:mes
AGxxxyyAyp:mess
AGxxxyyAyp:messa
AGxxxyyAyp:messag
yyBzBzzzzp:met
wwAACzAyyp:mig
wwAACzAyyp:migr
wwAACzAyyp:migra
wwAACzAyyp:migrat
zBxByyywDp:min
ADyCyyxxyp:minu
ADyCyyxxyp:minut
BAyCzyyxzp:minute
DxyAzDyxxp:mis
AyyAAzyzzp:miss
AyyAAzyzzp:missi
AyyAAzyzzp:missin
AzzzzCzyxp:mist
AzzzzCzyxp:mista
AzzzzCzyxp:mistak
BIxxxyxyxp:mob
BIxxxyxyxp:mobi
BIxxxyxyxp:mobil
yxyHyyxzzp:moc
CvIDwyszyp:mod
yxGyAyvxCp:mode
vvEGxAxCwp:modu
vvEGxAxCwp:modul
DyAyyyyBxp:mom
DyAyyyyBxp:mome
DyAyyyyBxp:momen
CwvyBwvMwp:mon
yxwyyxwPxp:mono
Fyzyxzzyzp:mont
zyzAExwyAp:mor
wtBxxyxMAp:mov
ywwyyzxLyp:movi
ywwyyzxLyp:movin
yyCzyyxAAp:muc
yAzzyyBByp:mul
yAzzyyBByp:mult
yAzzzyzByp:multi
yAzzzyzByp:multip
Dyyyzzzzzp:mus
AzAzzzzzzp:mut
AzAzzzzzzp:muta
xxEAAyyyyp:mód
xxEAAyyyyp:módu
xxEAAyyyyp:módul
yEyyyzzzzp:nac
zAJwvxyvDp:nam
BxBzzzzyzp:name
yyCzzzzzzp:nat
yyCzzzzzzp:nati
yyCzzzzzzp:nativ
xxDDyxxByp:nee
ywEByyzyyp:need
CwyCyzzzyp:neg
CwyCyzzzyp:nega
CwyCyzzzyp:negat
CwyCyzzzyp:negati
xvvyxyuxUp:nei
yyGyyzyzyp:nes
yyGyyzyzyp:nest
yyyDzyCxzp:net
yyyDzyCxzp:netw
yyyDzyCxzp:netwo
yyyDzyCxzp:networ
BxyyzzxzEp:nev
BxyyzzxzEp:neve
zCxyyywyFp:nex
ywyyyzIyxp:ngi
ywyyyzIyxp:ngin
EzxyyywyEp:nic
Gxyyyzyzyp:nich
CwyxxyJvzp:nig
CwyxxyJvzp:nigh
AxzyyyDyzp:night
AxzyyyDyzp:nightl
xyGyyzyzzp:nob
xyGyyzyzzp:nobo
xyGyyzyzzp:nobod
ywyyBxHyyp:nod
DDyxCBvwwp:not
AzyyEyxyxp:note
IwAyyyyyyp:noth
IwAyyyyyyp:nothi
IwAyyyyyyp:nothin
vGzyzzzzzp:noti
Hywyxzyzzp:nul
ACxyxxyyGp:num
ACxyxxyyGp:numb
ACxyxxyyGp:numbe
xwDCzzyzzp:obj
xwDCzzyzzp:obje
xwDCzzyzzp:objec
vKyxwyyyAp:off
zAyyDyyyyp:onb
zAyyDyyyyp:onbo
zAyyDyyyyp:onboa
zAyyDyyyyp:onboar
AByyyzzzzp:onc
ywFyyyAyyp:one
AyyxxDABwp:onl
zyyzyzEzyp:ont
DBxxBwCxyp:ope
yCyyCyyyyp:open
zByyCzyyyp:opena
zByyCzyyyp:openap
ywCyywxBEp:opt
ywCyywxBEp:opti
yyyzyxxBEp:optio
xIwAxDxwxp:ord
xIwAxxxByp:orde
zCzzzzzyzp:order
zyGwyyyyzp:oth
zyGwyyyyzp:othe
BwCxDyxyyp:out
yzAyAzzzzp:outp
yzAyAzzzzp:outpu
Fyyzzzyzzp:outs
Fyyzzzyzzp:outsi
Fyyzzzyzzp:outsid
DAyxBzwAyp:ove
BxyyyyyDzp:over
CyzzzAzyzp:overl
zzyzzyyEzp:overv
zzyzzyyEzp:overvi
yxEyxzByyp:pac
yxEyxzByyp:pack
yxEyxzByyp:packa
yxEyxzByyp:packag
BIzyEwuuwp:pag
CzAyxzzyzp:page
AGxyyyyxyp:pagi
AGxyyyyxyp:pagin
BByzyzzyzp:pagina
yyyDyzyzzp:pago
BwxywyxxLp:pan
utLOuztvyp:par
yzzBzyzByp:para
AyyGwwxByp:pars
ByzFwwyByp:parse
zyxDyzzzzp:parse_
yxCBBzyyyp:part
DxyBzxuyFp:pas
FyvBxyuyFp:pass
DAxyzzyyzp:passw
DAxyzzyyzp:passwo
zADBxyxyyp:pat
yByByzyzyp:path
yKBzxxwyup:pay
xCCAyyyyyp:paym
xCCAyyyyyp:payme
xCCAyyyyyp:paymen
BHyyyyxzvp:payp
BHyyyyxzvp:paypa
yyyzzHBtzp:pen
yyzzzHzuzp:pens
zEyyyzzyzp:peo
zEyyyzzyzp:peop
zEyyyzzyzp:peopl
FvzCxxwsIp:per
BxByyyxyCp:perf
yyyzzzyzEp:perfe
yyyzzzyzEp:perfec
xHyyyyyyyp:pho
yDzzzzyyyp:phon
yDyyyzyzzp:phot
EyyyxzBxzp:pic
Czzzyzzxzp:pick
yyzzzzGvzp:pip
yyzzzzGvzp:pipe
yyzzzzGvzp:pipel
yyzzzzGvzp:pipeli
wFsyvxtGIp:pla
zCyzyzzzzp:play
xAwBFGsvBp:ple
xAwBFGsvBp:plea
xAwBFGsvBp:pleas
BxFyAyxyyp:plu
wyyzyzEzBp:pod
zzzzyzyzDp:poe
vyAzxvIDxp:por
uzyzIvBBwp:pos
yyBzzwzDzp:poss
yyBzzwzDzp:possi
yyBzzwzDzp:possib
wwxAFyDyxp:post
wwxAFyDyxp:postg
wwxAFyDyxp:postgr
uKwCxyyyyp:pou
yBzzzyzAzp:pra
yBzzzyzAzp:prac
yBzzzyzAzp:pract
yBzzzyzAzp:practi
HBuxBwBsDp:pre
xHxyyyyzzp:prec
xHxyyyyzzp:preci
CyyzyyzuFp:pres
HwxyyyByzp:prev
ExxyyyCyzp:previ
IKwwvxwwxp:pri
EByyyyxyyp:pric
EExywyyxzp:prin
BAzyyzzyzp:print
rEtwuJCGwp:pro
EwxyxMwtyp:prob
EwxyxMwtyp:probl
FwxyyJwuyp:proble
wuxxyxECGp:proc
wuxxyxECGp:proce
wxyyyxGDyp:proces
uGwyxCFwyp:prod
wzxyyCFxyp:produ
xAyzyDAyzp:produc
yEyyyzyzzp:prof
yEyyyzyzzp:profi
zBzzyzzzzp:profil
wCFyxyyyyp:prog
yEzyyzyzzp:progr
yCzzzzzzzp:progre
wCAwzDyDup:proj
wCAwzDyDup:proje
xDAxzDyzup:projec
AxzDyyyyyp:prop
AxzDyyyyyp:prope
ByyBzzyzzp:proper
zCxByzzzyp:prov
yxyyDzCzzp:prox
yyxCyyGyxp:pru
yyxCyyGyxp:prue
yyxCyyGyxp:prueb
yyxCyyGyxp:prueba
xDzyzyCxxp:pub
xDzyzyCxxp:publ
xDzyzyCxxp:publi
xDxyxyDyyp:publis
xHxyyyyyyp:pue
xHxyyyyyyp:pued
BtAxAHDvvp:pul
zyBByzyyzp:pur
xByyyyIywp:pus
yEvByyCyyp:pyt
yExyyzCyyp:pyth
yExyyzCyyp:pytho
ACyyyzyzzp:pág
ACyyyzyzzp:pági
ACyyyzyzzp:págin
GuzyyDxzyp:qua
zzyzzFywzp:qual
zzyzzFywzp:quali
zzyzzFywzp:qualit
Hvyyyzyyzp:quan
Dxzzzzzzzp:quand
CtHyDysDvp:que
CyFyyAwxyp:quer
vvDAGzxzxp:ques
vvDAGzxzxp:quest
BAyyyyyDyp:queu
xIxyyxyByp:qui
xIxyyyyyyp:quie
CyyyzByyzp:rac
AyyBzzyzyp:ran
vExyyGxyyp:rat
vwtxXyuDsp:rea
yByyyzCzzp:reac
wuxwYxuvtp:read
wtwwYxuvtp:readm
AzzzzCzyyp:reas
AzzzzCzyyp:reaso
zyyzyzEzyp:reb
zyyzyzEzyp:reba
zyyzyzEzyp:rebas
AFwwuxtwNp:rec
wEAyyzzyzp:rece
wEAyyzzyzp:recei
xDAyzzzyzp:receip
EvxyvywxLp:reci
EvxyvywxLp:recip
zyzzzzxzDp:reco
zyzzzzxzDp:recom
zyzzzzxzDp:recomm
BqIxvvIAwp:red
EsxyxxGCyp:redi
xxMyxyxyxp:redu
xxKyyyyyyp:reduc
yyEzyzzzzp:reduce
BtGCCyuxxp:ref
yxKyyywyyp:refa
zyEzzzwyzp:refac
zyEzzzwyzp:refact
AxyzEzyyyp:refe
AxyzEzyyyp:refer
AxyzEzyyyp:refere
AxxEzzyzzp:refu
BxyzyyCzyp:reg
zzyzyyCAzp:rege
zyzAzzzzzp:regr
zyzAzzzzzp:regre
zyzAzzzzzp:regres
yywyyyMyvp:rei
yywyyyMyvp:rein
CBxyyzyzyp:rej
CBxyyzyzyp:reje
CBxyyzyzyp:rejec
Eyyzyzyzzp:reject
EpqyFKFxtp:rel
wuwzIyHyvp:rele
wuwzIyHyvp:relea
wuwzIyHyvp:releas
Iuyyzyzyzp:relo
Iuyyzyzyzp:reloa
vDCCAwvAxp:rem
xwDDAxxByp:remo
xwDDAxxByp:remov
urRzvwKwup:ren
xzEByyxzyp:rena
xzEByyxzyp:renam
zAzzzzzAzp:rename
wtNyyyyyyp:rend
wtNyyyyyyp:rende
xxIyyyyyzp:render
xCDwzzyzzp:reo
xCDwzzyzzp:reor
GtGAwvwCxp:rep
Dyyzzyzyzp:repa
Cyyzzzzzzp:repai
ywGAyzyyyp:repl
ywGAyzyyyp:repla
ywGAyzyyyp:replac
DyByyyyAyp:repo
Eyyyyzyzzp:repor
yyCyzyyBzp:repos
yyCyzyyBzp:reposi
BxyCyzyzyp:repr
BxyCyzyzyp:repro
BxyCyzyzyp:reprod
vuvwDIEDvp:req
vuvwDIEDvp:requ
wwvxBJCAwp:reque
wwvxBJCAwp:reques
ywyyByBCyp:requi
ywyyByBCyp:requir
HvvuzwKzup:res
DyxyyzByzp:rese
ByyzyzCyzp:reso
ByyzyzCyzp:resol
ByyzyzCyzp:resolv
xwCyyyIywp:rest
yyyzzzEzyp:resta
yyyzzzEzyp:restar
zyEyyzyyzp:restr
zyEyyzyyzp:restru
FxyyyyAyyp:resu
DyyyyyAyzp:resul
BGzxxvwDwp:ret
wFzzyxxDyp:retr
FyAyyxyAyp:retu
FyAyyxyAyp:retur
FzAyyyyxyp:return
zuuxqWywBp:rev
zyzzyzDzzp:reve
zyzzyzDzzp:rever
zvvxvXvwvp:revi
AwxyxLxyxp:revie
yyxzxMxxxp:revis
zxByCyyyzp:rew
zxByCyyyzp:rewr
zxByCyyyzp:rewri
zxByCyyyzp:rewrit
zAyAyCywzp:rig
zAyAyCywzp:righ
AwFyxyyyzp:rin
CxwyxyFyyp:rot
CxwyxyFyyp:rota
CxwyxyFyyp:rotat
EvzAywxFyp:rou
ByzzzyzBzp:roug
Dxyzzzzzzp:roun
Dxyzzzzzzp:round
yyAAyxxEyp:rout
zuwAMwDwvp:run
wxyCyxGyyp:runn
xxzDyyDyyp:runne
xxzDyyDyyp:runner
AzzzzGzszp:saf
yvzzyxyyJp:sai
Gxyyyyyzzp:sal
HvByCxwxxp:sam
Fxyyyzzzyp:sav
Cyyzzzzzzp:say
yEwyyzDyyp:sca
tzDByBADup:sch
vuyCzEDzwp:sche
wvxDzyEByp:sched
wvxDzyEByp:schedu
yyAyzFzywp:schem
xFxBAyxyyp:schr
xFxBAyxyyp:schre
xFxBAyxyyp:schrei
xJwBBwxAup:scr
yCyyCyyyzp:scre
yCyyCyyyzp:scree
xzyyDzyzzp:screen
yAxDAxzBxp:scri
zAyByxABxp:scrip
yyyBBzyzzp:scriv
DAxywyxExp:sea
DAxywyxExp:sear
DAxywyxExp:searc
ysyvFKuwDp:sec
zvDxxDwyEp:seco
zvDxxDwyEp:secon
zxGyyyzyyp:second
wyvyJzyzzp:sect
wyvyJzyzzp:secti
wyvyJzyzzp:sectio
BxxyyHyxyp:secu
BxxyyHyxyp:secur
BxxyyHyxyp:securi
FxAxyzzyzp:see
zDxzyzzzzp:sei
AzzzzBzyzp:sel
IxDyyxwxxp:sem
xAyyyyxAFp:sen
wrzBuuVBup:ser
wszzuuVBup:serv
zwtAxxOywp:serve
vuFzwwICxp:servi
wvHzwwCDxp:servic
zyyyyyyGxp:ses
yyzyzyyGxp:sess
yyzyzyyGxp:sessi
yyzyzyyGxp:sessio
ACyyyzyyzp:set
ACyyyzyyzp:sett
ACyyyzyyzp:setti
ACyyyzyyzp:settin
wxEzAyyByp:sha
xxFzxyyDyp:shar
zyCyyyzAzp:share
xCAzzBywzp:shi
DEwuwxByCp:sho
AwEyAyyyyp:shor
yxFyyyzzzp:short
zEvxxzzxEp:shou
zEvxxzzxEp:shoul
Dzxzzzzzzp:should
CByyyzyzzp:sid
CByyyzyzzp:side
CByyyzyzzp:sideb
CByyyzyzzp:sideba
CDyAyyywzp:sig
wCNywwxywp:sim
wCNywwxywp:simp
wCNywwxywp:simpl
yxNyyxxywp:simpli
AzAxzxsvMp:sin
CyyyBzyyzp:sinc
yEByyyyxzp:sing
yEByyyyxzp:singl
yBwzzzDyzp:sit
EzAyyyyyzp:siz
ByzAyzyzzp:ski
BxyzyyyDzp:slo
wFCyyyyyyp:sma
wFCyyyyyyp:smal
yyDzzyzzzp:small
yyDzzyzzzp:smalle
xAxHxzxyzp:sna
yxyIyzxzzp:snap
yxyIyzxzzp:snaps
yxyIyzxzzp:snapsh
uDCyxJysyp:sol
xzzzzLzsyp:solu
zyxByAAyyp:som
BzyyzByzzp:some
CyyyyByzzp:somet
AzyyyBzzzp:someth
BuxyyytyMp:son
AHxyyyyyyp:sor
vJxyyzyyyp:sort
zBzzzzyzzp:sorte
vHyyyzyzzp:sorti
CxyyyvFzyp:spa
CxyyyvFzyp:spac
yuCNzztxwp:spe
yyyFyzyyzp:spec
xxCCyyyBxp:spl
xxCCyyyBxp:spli
zzzzzEzwxp:spo
yzyzzyyDzp:sql
yzyzzyyDzp:sqli
yzyzzyyDzp:sqlit
yyyzyzDzzp:squ
yyyzyzDzzp:squa
yyyzyzDzzp:squas
AvADxuKxvp:sta
yyyyyzGzyp:stag
yyyzyzEzyp:stagi
yyyzyzEzyp:stagin
zxxCBxBzyp:star
xxxBCyAAyp:start
zBEzxywAyp:stat
yAByyzzzzp:statu
AyBzzzyzzp:stay
EwwxByBwDp:ste
DyyyAzyzyp:step
CEuyCxxzxp:sti
DyxyDxyAyp:stil
wEAywwAABp:sto
Fyzzzzywzp:stop
wADzxxyFwp:stor
yuLxvEuBwp:str
yyEzyzyzzp:stra
yyEzyzyzzp:strat
yyEzyzyzzp:strate
yyGzyyxByp:stre
yyGzyyxByp:strea
yyGzyyxByp:stream
BxAyyDyyyp:stri
zyCzzzzzzp:strin
xyAzyByBzp:stru
xyAzyByBzp:struc
xyAzyByBzp:struct
yzByyCzyzp:sty
yzByyCzyzp:styl
CGxyyywyyp:sub
CGxyyywyyp:subm
CGxyyywyyp:submi
BFxyxzyzzp:suc
xGxzxzyzzp:such
wwwxBxxIDp:sum
wwwxBxxIDp:summ
wwwxBxxIDp:summa
wwwxBxxIDp:summar
xHCxwvxCxp:sup
xHCxwvxCxp:supp
yIyxxxxDxp:suppo
yIyxxxxDxp:suppor
AvxDyxxADp:sur
BtSwyyuxvp:swa
ACBxxxBzxp:swi
xDCyxxBzxp:swit
xDCyxxBzxp:switc
yyyyyxDDzp:sys
yyyyyxDDzp:syst
yyyyyxDDzp:syste
wGxDxwxByp:tab
AByDxwxByp:tabl
yyyzyyEzzp:tai
uEAAxBxzxp:tak
sGCByyyyyp:take
yFyyyzyyzp:tea
tHzwxByyCp:tel
xEyzExwyyp:tem
xEyzExwyyp:temp
zyzAFyxzyp:templ
zyzAFyxzyp:templa
xBBuuyNyvp:ter
pjpYrwHvvp:tes
tprYtzNtup:test
ywxDyyGyxp:teste
xCyByyxyDp:tex
tEuEwvwzJp:tha
yyyzyyxyGp:than
zyyzzzyzDp:thank
yyyzzzyyDp:that
yyyzzzyyDp:that'
yJHvvzuyvp:the
ADyyyyAyyp:thei
wHxAyzxBwp:them
CAzxxwyDAp:ther
wxHyyEyvyp:thes
trBzvLwKup:thi
ywAyyBxBCp:thin
yzCzzzzzzp:thing
yyCzzByxzp:tho
zzzzzCzxzp:thou
zzzzzCzxzp:thoug
yzxzxCqEFp:thr
tCzAAzuzHp:thre
yBzyyDzxyp:threa
EwxyxDuFxp:thro
BvxzyDuGyp:throu
BvxzyDuGyp:throug
tHzzzzzzzp:tic
tHzzzzzzzp:tick
tHzzzzzzzp:ticke
zyEzyzyyzp:tid
zKxzvywyyp:tim
xKyAvyxzyp:time
xEyxxyxFyp:tod
xCyxxyyGyp:todo
Dzyyyzyzzp:tog
Dzyyyzyzzp:togg
Dzyyyzyzzp:toggl
yyyEyyyByp:tok
yyyEyyyByp:toke
zzzByyzByp:token
FAxyyywyzp:too
Fxxyyzyzzp:tool
Dyyzzzzzzp:toolt
Dyyzzzzzzp:toolti
Cyzzzzzzzp:tot
Cyzzzzzzzp:tota
yCzzzzxAzp:tou
yCzzzzxAzp:touc
xzwxzxwHDp:tra
yyyyyxyIyp:trac
yxyzAzyyEp:tran
yxyzAzyyEp:trans
yxyzAzyyEp:transl
zwyyBzyyEp:tri
yCByzyxzzp:tur
xwFxFyxyyp:tut
zxzyGzxzyp:tuto
zxzyGzxzyp:tutor
zxzyGzxzyp:tutori
Fxyyyzyzzp:twi
Fxyyyzyzzp:twic
ItJvCxuxwp:typ
HsMwyxvxxp:type
CxCyyyyyyp:types
CxCyyyyyyp:typesc
CAyzyzyzyp:typi
CAyzyzyzyp:typin
yyyyEzyzzp:typo
EAvxwwyIwp:und
BCwyxywFxp:unde
xzyyyyyHyp:under
xzyyyyyHyp:unders
xxyJyywzyp:uni
yyxGyzyzzp:unit
yyyDyzyzzp:unita
yyyDyzyzzp:unitar
vxxEByyDyp:unt
wxxFBzyzzp:unte
zyDyyzzzzp:unu
zyDyyzzzzp:unus
zyDyyzzzzp:unuse
wFwBAyCxxp:upd
wFwBAyCxxp:upda
wFwBAyCxxp:updat
zwyzyyCCyp:upg
zwyzyyCCyp:upgr
zwyzyyCCyp:upgra
zwyzyyCCyp:upgrad
CCzzxCvxxp:upl
CCzzxCvxxp:uplo
CCzzxCvxxp:uploa
BByyyzyzyp:upload
zxyzCyyCzp:usa
zxyzCyyCzp:usag
uEzDxsFCvp:use
AyAFAxwxxp:user
Byzzzzzzzp:users
ADyyyyyzzp:usu
yyECyyyyyp:uti
yyECyyyyyp:util
zCDAwysxEp:val
ADEBxyvxxp:vali
xDFBxyvxxp:valid
xDFBxyvxxp:valida
utRxywxBxp:var
utRxywxBxp:vari
utRxywxBxp:varia
vtOxzwyBxp:variab
yCzBuwEyzp:ver
BxyEyzyzzp:veri
BxyEyzyzzp:verif
yxxyxyIzyp:vers
yxxyxyIzyp:versi
yxxyxyIzyp:versio
Cyzzzzzzzp:vid
vGBywxzCyp:vie
ByAzzzzzzp:vis
ByAzzzzzzp:visi
ByAzzzzzzp:visib
ByAzzzzzzp:visibl
zzzDzzxzzp:vit
zzzDzzxzzp:vite
zzzDzzxzzp:vites
ywxByyxCEp:wai
vCyyyADyyp:wan
EByByxywyp:war
yByBzzyzzp:ware
Gyzzzxzwzp:waru
vyyFyAzqJp:wea
DNtwuxEyup:web
BByyyyyAyp:webh
BByyyyyAyp:webho
BByyyyyAyp:webhoo
CIxywywyxp:webs
CIxywywyxp:webso
CIxywywyxp:websoc
Czyzyzyyzp:wee
IuxyyyxyBp:wei
yFxByzxzyp:wel
BAyyzzzzzp:wer
utywAxxENp:wha
yyyyyxxwKp:what
yyyyzyyxFp:what'
OztwtyvIvp:whe
yEyyzzzyzp:when
yEyyzzzyzp:whene
yEyyzzzyzp:whenev
yyzAxywFyp:wher
ywyyyCBCzp:whet
ywyyyCBCzp:wheth
ywyyyCBCzp:whethe
AywAxwxIyp:whi
xzxAywxIyp:whic
FzxyByxyyp:win
DAxyByxyyp:wind
DAxyByxyyp:windo
yAyyBzyyzp:window
CxyzzwzDyp:wir
CByzBvzuCp:wit
yyByyyyDyp:with
yyByyyyDyp:witho
yyByyyyDyp:withou
MusvrxICzp:wor
zwvwuDMBvp:work
CxwxwDDCwp:worke
zxyyyEDvyp:worker
wDxyyEyCvp:wou
wDxyyEyCvp:woul
wDvAJvwwBp:wri
wDvAJvwwBp:writ
yEyxCyyxyp:writt
yEyxCyyxyp:writte
LvwxCyxzwp:wro
LvxxCzxwxp:wron
zAyzzzzzzp:yea
AyyzyyFyyp:yes
AyyzyyFyyp:yest
AyyzyyFyyp:yeste
AyyzyyFyyp:yester
ByyyzDyuBp:you
CyyByzyzzp:zer
xEwECywxwp:доб
xEwECywxwp:доба
xEwECywxwp:добав
zJwyyyyyyp:зак
zJwyyyyyyp:зака
zJwyyyyyyp:заказ
xtRwGxtxup:код
yqyxIyIywp:ком
yqyxIyIywp:комм
xuFIGxtxvp:мод
xuFIGxtxvp:моду
xuFIGxtxvp:модул
yEwDCywxwp:нап
yEwDCywxwp:напи
yEwDCywxwp:напиш
xwJxxyMxop:пер
xwJxxyMxop:пере
HvxyyLypyp:пос
LEuxwQnttp:про
yFyyyyDywp:сде
yFyyyyDywp:сдел
yFyyyyDywp:сдела
wpsYtxGwrp:тес
xttUvxHxrp:тест
uwLyysyFyp:фун
uwLyysyFyp:функ
uwLyysyFyp:функц
uwLyysyFyp:функци
xwHxxFuDvp:это
yyHyyxwByp:この関
yyHyyxwByp:この関数
xwwyEJxywp:コード
yvxGxyFyxp:テスト
yyGyyyyyyp:把重复
yyGyyyyyyp:把重复的
yyGyyyyyyp:把重复的代
yyGyyyyyyp:把重复的代码
yyxyyyyJwp:这个项
yyxyyyyJwp:这个项目
yxwHxyCyyp:테스트
BFvFBFvowpaste:code
Ywxyxxtxepaste:trace
wzDyywACys:ace
yzyzyzyCys:ach
zyxzyCCzxs:ack
yAzAyyxyDs:act
ywxAyyFAxs:ade
yyCzyyxyDs:ado
BCyyyzyzys:ads
zyzAzyzBzs:ady
ABxAyyByxs:age
zyzyCzzzzs:aid
zAzzzzzzzs:ail
CwAxAyxCxs:ain
Azzzzzzzzs:air
yBCyzzyzys:ait
zAyzzzzzzs:ake
zzzBzzzzzs:aky
zzzzzzAzzs:ala
zyyzzyDyys:ale
xBxzyyHyws:all
yBAzzzzzzs:als
xyEAwxxFys:ame
zyCzyyyAys:ams
AzzyyyxDys:and
zzzzzzzzBs:ank
zzzzBzzyzs:ans
yzyzzzyyDs:ant
zzyyDzyyzs:api
Cyzzzzzzzs:aps
CzxExywAys:ard
xEzyAzwBxs:are
AyAzxyFxxs:art
ACxzyyyAys:ary
vvCBBzDyws:ase
zxzyyyEyzs:ash
yyCzzAyzzs:ass
vCwDAwHxvs:ate
zzzzzAzzzs:ave
zzAzzzyzzs:ays
zzBzzyyAzs:bal
ACyyyzyzzs:bar
yyyAyzDyys:bas
ByBzyyzzzs:ben
yByzyyyyCs:ber
ADCAwAvAws:ble
yyyzzBBzzs:cal
zAyyzzyzBs:cel
AzzyxyzzBs:ces
yByzxyBCys:che
CyyzzyzAzs:cht
yAyAzzzzzs:cio
zzCyzzzzys:cks
zCyzzzzyzs:cky
DAyyyyByys:cts
BAAyyzzzys:dan
yxyyyyyyGs:day
Dxyzzzzzzs:ded
yyyzAzyyBs:del
zFxyyyyzys:den
wHzFBxtzws:der
Bzzzyzzzzs:dex
yyyzyyDBzs:dis
zzzzzCzyzs:dit
ByCyyzyzzs:dle
xwxyMyxyxs:dme
yyAzDzyzys:doc
yBzyyyyCys:dos
zzByyAyyzs:ead
yzBzzyzzzs:eak
zzCzzyzzzs:ean
yAzzzzAzzs:ear
yAzzzyyyCs:eat
xxxAyFAyys:eck
zyzCyzzzzs:ecs
zzABACvxys:ect
zAyzzzzzzs:eda
yyBAzzzzzs:eds
yxDyyzwyDs:eed
DxAAyyxBys:een
AyxzzzzzCs:ees
zBzzzzzzzs:ega
zByyyzAyzs:eir
ByzzBzzyzs:eld
zyAzzEzxys:ema
xDyzzByAxs:eme
DyyyyByyzs:ems
yByzzzyzBs:end
zByyyyyCys:ens
CEyzBvvyzs:ent
Cyyyzzyzzs:eps
yCyzzzzzzs:era
wxzyItvEAs:ere
AyBzzzyzzs:ern
AzEBzAywvs:ers
zyABxwyBBs:ert
zFzxCzxxxs:ery
yyDzAByxys:ese
zyyAyyCAys:ess
wvuCyGADxs:est
yBAAyyzyys:ete
AFyyxzyyys:ets
AzyzzyyBzs:eue
zyyAzzByys:eur
zzzBAzyzzs:eva
yyyyBzDyys:fig
BAyzzzzzys:fil
zzyAyBAyzs:ged
yCyzzzzzzs:gen
zyzABzzzzs:ger
AxywByDCxs:ges
zzzzzzzAzs:gex
AzyzyACwzs:ght
zzzAzzzAzs:gic
DzxzAxyAxs:gin
AEyyyyyyzs:gle
zzzBzzzzzs:gos
ByyzzBzzzs:hen
yyBxyzzzCs:her
BzyzyzyzAs:hes
Byzzzzzzzs:hly
yByxyyBBys:hon
zxzzBzzzzs:hot
BByyyAyyzs:hts
zAzzzzzzzs:hub
yyyACzyzzs:ial
zyzzzzzzCs:ian
CAyyyyyzzs:iar
yyAByzzzBs:ias
xxxBDywCys:ibe
ByyzBzzzzs:ibt
zyEzyzyyys:ica
CwBxwEyzys:ice
yzAzyxyEys:ich
CyyyxzyBBs:ick
zByzzzzzzs:ico
BxzyEzxyzs:ide
yyyyCzAAys:ier
xABxxABxCs:ies
CxxyyExAys:iew
xzDByyyzys:ify
AyzzBzzzzs:ige
zzzzzBzyzs:ign
yyzyCEwAxs:igo
CzxyzyzAys:ild
zBCxwyFyws:ile
ByyzByyzys:ill
DwBAyyzyys:ils
AyBzzyzzzs:ime
zCEyxxyyys:ina
zAzzyyAzzs:ind
wCzyyzDxzs:ine
AFzwBwwAxs:ing
yGyzyyxAxs:ini
zyAzyAyzAs:ink
Czyzzzyyzs:ins
zBxyzzCyxs:int
zyzzyzEzys:inx
uEyxDCzxxs:ion
AAHywyxyxs:ios
AyyyxzyyFs:ipe
Bzyyzzyzzs:ips
yCDzxxyzxs:ipt
Dxyzzzzzzs:ird
wwDzzBxBAs:ise
yCyzyzByys:ish
BCwBAwvAAs:ite
yyzzzzCzzs:its
zyyyxLxuys:ity
ByAAyyyAys:ive
zzzAAzzzzs:ivi
ByBxzzyzzs:ize
zyAyBAyyys:ión
zzzzyzzyBs:ked
zAyAzzyzzs:ken
ByxywyECxs:ker
AzzAxzwxFs:kes
zByzzzzzzs:ket
yxByyzCzzs:kup
yAzyzzByzs:lds
xzyzzyDzzs:led
Cyzzzzzyzs:len
BwzABzxzys:ler
CxzxByyAAs:les
BzzzyyzyAs:lia
zzAzAzzzzs:lic
Cyyyzzzzzs:lid
yyBBzzyAys:lit
xByAyyAAys:lle
yzzzzzyzCs:llo
xABzyByzys:lls
yyABAAyzzs:lly
xAyyGzyyzs:log
xFxyxzCxys:low
yAyzyyDzxs:loy
AyzzzzAzzs:lve
Azzzzzzzzs:man
AEyxxzyzzs:mer
AzzAyAyyys:mes
BzxywBGyws:mit
Byyzzzzzzs:mps
KuwyAyxCws:n't
yDBxxzzyzs:nal
zzztCxCzAs:nce
AxxzwACyBs:nch
zBzyyByyys:ncy
Cxzzzzzzzs:nde
Fxyyyzzzzs:ndo
xxAFxyxAAs:nds
Czyzzzzzzs:ned
yyyABzzzzs:nem
yAzxyCyBys:nen
zyzzzzAzzs:ner
AyDBzyywzs:nes
AAAAxAxzxs:nge
yzzzByzBzs:ngo
AzByDyyyws:ngs
zzzzzzzzBs:nks
zzBzyzyAys:nne
ByyAzzyzzs:not
xyyzFzyzzs:nse
xCyzBAyyzs:nst
CxyzCzyyys:nte
AyzxJxvBvs:nts
zzzzzzyzBs:nue
zyyAAzAzys:nze
yBzzzzzzzs:nzu
BzzzyBxyys:oad
wCzAzzzzzs:ock
yAzAzzzzzs:ode
xyCzzzzzzs:ody
AyzAzzzzzs:oke
yAAyyyyzCs:oks
AxyCzyyBzs:ona
AxyyyByzCs:ond
xGzyzzzxxs:one
GxyyAzyxys:ong
AwzACvxFws:ons
zxxzIyxyxs:ook
Eyzzzzzxzs:ops
BwyyyzyzDs:ord
yCBxxDBvxs:ore
yzzBzzAyzs:ork
ywyyyyGAxs:orm
HBzxxwvDxs:ort
yyCyyyBzys:ory
zzyzzxCzys:ose
zAzzzzzzzs:oto
yyzDyzyzzs:ots
yzCzzzyzzs:our
yyzzzBByzs:ous
wAAAAzwAAs:out
wyCABAxAys:ove
zAzzzzzzzs:own
DzAyyyyyys:ows
yyzzBzAzzs:oxy
ADyzzzyzxs:pal
CyyzzyyBys:ped
yEzzxyyzxs:per
zxEyzzyzzs:pes
wBAyCxAxBs:ple
yyBzzzzzzs:ply
yyxzByxFys:pos
BAyyzzzzzs:pts
DxyAyzyyzs:pty
Cyzyzzyzzs:put
yyyzyCyBys:que
yyyyEzzzzs:ram
BzCyxyxBys:rch
ByyzyBBxzs:rds
zzzCAyxzys:red
xzzAAxwADs:ree
yvACCyAyxs:res
yyyzzACyys:rge
Dzyyyzyzzs:rio
zCyzzzzzzs:ris
Czzyzzzyys:rns
AzAzyzyzys:ror
zzzzzzzAzs:row
ByzzzzAzzs:rse
zyyAzyyACs:rst
AzzzzyzAzs:rta
zyCzzwxCys:rts
AyyAzzxzDs:rty
Czzzzyzyzs:rum
BywzEyyyzs:sch
zyBBxyxyCs:sed
EzzAxyyyys:ser
zywFyzxAys:ses
BzyzzzAzzs:set
AzzzzyzAzs:son
AzBzyyyyzs:sor
zyzAAzzzzs:sos
yxGzyxyAys:sse
yACzyAyyys:sta
yBAzyzzzzs:ste
zzzAzzzAzs:sto
xyuIvzHwxs:sts
Cxzzyzzzzs:sue
xCyyyyzxDs:t's
AzzzzyzwDs:tal
Bzzzzzzzzs:tar
AyKxwxyyxs:tch
AuzCCxwExs:ted
xBByzzAyys:ten
BKzxAwuvAs:ter
zCwAywCDvs:tes
zAyAyAzzzs:ths
yzzByzzzzs:tic
zBzzzzzzzs:tle
BxzyzAByzs:tly
ACzAxyyyzs:ton
yADAxyxAys:tor
zzzAzzzzzs:tos
AByyyyyCys:tre
zBxyAzzzzs:tro
yCzyByyzys:try
ByCyxAByxs:tte
zByzzzzzzs:tum
zzAzzzzzzs:tus
zBzzzzzzzs:tón
AyyyBzAzzs:ual
AzDzyyxyys:uce
AxyzyBxDys:ugh
vExxxDyAzs:uld
wxBByABAys:ule
yyBAAyyzzs:ulo
AAyzzzAyzs:ult
zzAzyyyzBs:umn
Dyyzzzyzzs:und
zzzzzCzxzs:ung
yBxAyzyBzs:unt
yAzzyBzCws:ure
yyCzyyyyAs:urs
Czyzyzyzzs:use
zByBAyyyys:ute
AzzzzCzwAs:ved
yzCyzzzzzs:vel
zzxEzzzxzs:ven
ByvAyxByCs:ver
ByzAyyyCys:ves
AAyByzzyzs:way
xDByyzyzzs:wer
zzAzzzzzzs:xed
zyyzzzCzys:y's
xDByyzyzzs:yer
zzAzyAzyzs:yle
zzzByzzzzs:zer
Cyyzzzzyzs:zes
yxAByzAAys:ção
yCyCAyxyys:авь
NzwxwtwEws:ает
yEwFyyvyys:ами
yCyBByxyys:иши
yCyzyzBzxs:лай
ACKyxxuxvs:ние
GxyzyEyuys:нии
yyyzAzJzss:ови
uvJwxyVwks:сти
yxyDyzEzws:сты
IwwyywyBys:тся
yyDFyywyys:уль
xwFxDzyyys:цию
zzzzzuzFzs:ция
tFCyyzyzzs:ять
zyzAzxABys:ださい
yzzzzyyFys:ますか
yDxDAywzys:加して
yyyyDyzzzw:0
DHvyvEvwyw:1
zDxxCEvxxw:10
HxxBxzwyyw:100
DuvwExwxKw:2
DtuDEywxFw:20
yyyCyyyByw:200
AwzzzyFyzw:22
EvvwFyCwBw:3
vvFyxxNxuw:4
AyCyzzzzzw:400
wHyyCywxzw:5
xGyyyzzyyw:50
EwvIyyxyyw:90
rNsBqnJvNw:a
IwyCxyyxyw:ab
zlvzHBvALw:about
wByyEzyzyw:above
yGxyyzyzzw:account
BxyxKzyvxw:ad
sFzLFwvsvw:add
BAyzzzzzzw:address
yDyByyyxyw:admins
wyyyLzyxww:adr
WyuAwxuvww:after
Qtuyyyyyyw:again
vKwAxBwxyw:against
yGxyyzyyyw:agrega
zyyzzyyzEw:ahead
xExCDywyxw:ajoute
Dyyzzzzzzw:al
tzAvzwLEvw:all
yLyywyxyyw:allow
yxyCyuyHyw:already
zDyyyyAyzw:also
yyyyyxyJww:alternatives
yDvDyzyyzw:amount
ArzrHpFAKw:an
yHAvnBDQlw:and
yEyyyzzyzw:answer
CxyCyzyzyw:answers
wrFtGIwBww:any
vxExyKyuyw:anything
xyHyyyyzyw:apart
rtBwIAOutw:api
DHpBwwHvxw:app
xxGyyyByzw:apply
xywyxByLxw:approach
ywxwDExDyw:architecture
BrwOyyuwDw:are
KvvzDBvuzw:as
tLzzzzwyzw:ask
BuuzxDKwxw:at
yxyyyIAxyw:audit
AsLwIqDwvw:auf
EzzzxxzwCw:australia
tvvJwNxyxw:auth
zyzzxzxzFw:autumn
Gxyyyzzzyw:avatar
yEyyyyyzzw:avec
yyyDzzyzzw:añade
AyuxwxLBxw:back
uPxxxyxyyw:bar
yBzCzyzyzw:based
JHqurRtsyw:be
AyyBzzyzzw:because
DOtxwxAwvw:before
ywyxLzwyyw:beginners
xyIyxzxyzw:behaviour
yEzyyzyyzw:behind
Owwyyxyxyw:beim
BKwxxyxxyw:below
yyyyyuxDGw:best
CsHDxvrHww:between
AxuIzyyyyw:big
ywyByBxDyw:billing
xxyyxxyyKw:birthday
IwBxwAxvAw:bitte
AzyyzyyCzw:borrow
yBxxxyGxyw:bot
zxCyyyvyGw:both
yGxyyzyyyw:botón
ADvxxxJwyw:box
vuvBwDNwyw:branch
yyxAyyEyyw:branches
wyFyyxyBzw:break
tyyzHzyzzw:bring
CByyyzzyzw:browser
PrwBwyyyyw:bug
KAsvzwBDvw:build
xxzyzyIyzw:builds
yxxzyyIyyw:bump
vxNyyywyyw:bundle
HwxExyyxyw:but
AMxBsxxxyw:button
IKGBtvrttw:by
yvxAvvGJww:cache
wyvyxxyOyw:caching
yxBxyIxyyw:calculation
wHyzwzzzzw:calculator
yyyyAzDzzw:called
wxCCyvyIww:calls
xJvyyzyyyw:camera
yItxxEtCAw:can
JuxAxyyzyw:can't
HvxEyzwyyw:cannot
zzzzzwzpNw:capital
BxyyyyyyGw:card
BuyGxzyzzw:cart
FxxyyyyCyw:case
yvuNxyyyzw:cases
Ezyzxzzzzw:cause
xuFzEwxCyw:ce
xwIyxCxyxw:cette
zECEtDsAtw:change
utxvYywxyw:changelog
uwuvByLFww:changes
ByCyyyyyzw:changing
DzwxwyKwxw:chart
tutCuTEwww:check
xGyCyzyzvw:checkout
wyyyGwyDyw:chose
vpwFxuQDxw:ci
vvKxyDxyyw:class
xwMxytxExw:classe
yyIzyxyxyw:clean
vEyyyzDzyw:clear
yLxxyzuyyw:cli
CzxxxyyGyw:click
xIvDxyxAyw:client
ExwyyxEyyw:close
AExxxxyxEw:closed
kqMsLYnvqw:code
yyMyxuuCww:codebase
zAByyxyAyw:column
vGyyxyDyyw:com
zyyzyyyFyw:come
xFyyyywCyw:command
DzxyJtxyyw:comment
tCuvTAvvxw:comments
zruwrIXyrw:commit
ywwyxDvLxw:compare
xyxyGyxByw:compile
Lwvyyyyyyw:complains
yADzyyyyzw:component
yxEyyyxCyw:components
yvxyxzKyzw:compose
vGyyCyyzzw:con
xvwwEALwww:config
yxyyxzJyww:configure
yyyzyyEyyw:conflicts
FKwyxytxxw:connect
Jwxyyyxzzw:connections
yyyzyyxyHw:continue
zBxEzzvzzw:contract
xxxyNyxxyw:contributing
ywAwHzyyzw:controller
vuFBwyvxJw:convert
AyEyyyyyzw:core
AyyyGBywyw:correct
yzyzzCzAyw:cosa
vCyxyFyCww:could
xyyHyzyyzw:cover
xywIyyyyyw:coverage
wBvHzwHwvw:create
yxxyxKxyyw:critique
vwxAwzKyyw:cron
MOsxwwtwvw:csv
BFxyyyyyyw:currency
EBxyyyyyzw:cursor
DCyyyyxyyw:customer
DwyCxzyzzw:customers
vuzxHPqCrw:código
CuxyEDywyw:dans
EJxyyywyuw:dark
AzAxtAGwBw:das
yuyBGzzyzw:data
wwyxwwPBww:database
wJDwCxvwxw:date
FwyxyxzCzw:dates
yFxyyzyzyw:datum
vzyxyyDxHw:days
uSuJBzpuuw:de
zyIyxxyyyw:dead
xFyzyyyyzw:default
EwtyyyyyJw:degrees
HxvyDyyyxw:del
xBEzwxCxyw:delete
DuyDxwyDyw:deleted
vpzyMuwQsw:den
xwxwwEJyyw:dependencies
zyCzyxzDxw:dependency
xBwyxwMAuw:deploy
CtwxJxyByw:der
xwyAFDywzw:des
yAxyBGyvyw:design
yyyDzzzyzw:deterministic
zzzzyyzDzw:dev
vtxwQyyyzw:diagram
wHxyyzyzzw:dialog
xwyxxvIJtw:did
BCRhFqOrqw:die
yyyyyHByvw:diff
yyzzzxzGxw:difference
Ixxyzyyyzw:different
vyyyytOyyw:disk
vyvwvGuFIw:do
xwwywyRyww:docker
yuyyuzTytw:dockerfile
yuxtYyqxyw:docs
yxyyOxxzsw:docstrings
yxxyJzxxyw:document
tDvyLyxyyw:documentation
EvAwxvrJEw:does
LyyyCywysw:doesn't
ywvySyuyxw:dokumentation
vtwyEyxNxw:don't
FwxxyHwyyw:double
IvwyGxyvxw:down
BEzyyzyzxw:downloads
zyuLyyzvzw:driven
ByyyzxyFxw:dropped
DxxyyyyDyw:du
AxwyyyJyxw:dump
zyDDyzwyyw:duplicate
FCuyzyzyzw:duplicates
xzyyxyyxKw:e
xvxYtytxxw:e2e
syTvIwvtww:each
Ixyyyyxyyw:edit
yxwyyxvMyw:effort
uRuxBywyyw:ein
wKwyyyxyyw:eine
xwxCGyyyyw:einem
xExtxtFHxw:einen
CvEDyvEvvw:el
yCyAyzzyzw:email
NsxCwyxxyw:empty
yHKxvCvrww:en
KvvDxywyyw:end
yDxxFAwzww:endpoint
ywzyyyzJxw:endpoints
xyyzyvyKyw:entre
xwuxyyMAyw:env
yBvyDyyCyw:environment
yxyCEzxzyw:ergänze
BAwDxzxBxw:error
yzzuzuzMyw:es
yyyEByxyxw:escreva
yyxFCyxyyw:escribe
zyyzyzGyww:eslint
GwxyyvxHyw:est
xxJyyGxsxw:esta
vuBwLtvKvw:este
yzGyyxyyzw:et
ywxyyDyDzw:event
DyxyyyyBzw:events
HyyyywyByw:ever
xwrxQyDwww:every
CwDxuxLxtw:everything
uxHxIyvyww:everywhere
utyxNxDAww:example
yHwyyzyzzw:existing
xyyGyzxyzw:expectations
Hyyyyzyyyw:expected
FywEyyxxzw:expired
xwwyGvwMvw:explain
yyxyyyyHyw:explique
Fzyyyzyyzw:export
yuxyLzyyzw:exported
yGyyyzyyyw:extend
yyEyzzyyzw:extract
xEyyyyyByw:failed
yyzHyzyzvw:failing
GvyxyzCyyw:fails
wwxKzzxzzw:fake
zGyyyyyxzw:falls
vxHyzzzzzw:faster
FvxxxsHExw:faz
xBzGxAwxyw:feature
yyyyyMuxyw:feedback
FvGyxyxwyw:few
ywyyFyyDyw:fichier
FxyyFxxwxw:field
yEyyyzyzzw:fields
nwECAoJHzw:file
OwvxxyvCxw:files
xFvyBzyyzw:fill
ADCxyyyyyw:filter
GutwvBvNyw:find
yvuCxxxBKw:first
mMAEvxExxw:five
LvyBCxwwvw:fix
zFyyAyxyyw:flag
yyyEzzzyzw:flaky
vtyAHzyDyw:flow
yyOtyxvzyw:folder
xxJyyCxwxw:fonction
DEyxyzxzxw:footer
qCtLQvsyuw:for
yQwxxyuxww:form
AExyyyyyyw:formulario
xHxByyAxvw:free
xCyysyyyJw:french
FrLuIBmCsw:from
DxyyywyDyw:funciona
zyEzywyByw:función
wBzGxuxFvw:function
xyIyyzzxyw:functional
ywFyBzyyyw:functions
zzzzyyzDzw:funktioniert
yyJyxuxCxw:funzione
xHyyyyyyyw:füge
yAxHyywyyw:für
DwxHxyzwyw:gateway
yEwBByxyyw:generate
yCyExyyyyw:generated
yAyyyyyEyw:generator
yACvuxIAww:get
wHzyvzzzzw:gets
ExxyFyywyw:getting
vwuyzwREsw:git
yEyyyyAzzw:github
vvzBwDtLxw:give
yyGyyxwCzw:global
yCnAsMzwGw:go
DxyAyzyzyw:goes
zyyzyywyGw:going
wpswuIAtXw:good
vKxyyyyyyw:google
wByyyxwxJw:great
xvvxRCwwxw:guide
yzzzzuzHzw:hace
ExwyyCyzzw:handler
xwLyyyxyzw:handlers
yyByyzyCzw:handling
Dyzzzyzzyw:hangs
BxxyyxyHyw:happens
GwFxzxwxyw:has
CAxDxwxrIw:have
xEyzyzAyyw:haz
vIswJyvCww:header
uyyzyzxzJw:hello
vxyxxzNxyw:helm
yFwzyxyByw:helper
vvEwwKrzFw:here
BxyzyywyFw:hey
wHyyyyyyzw:hide
xHyyyyyyyw:hinzu
wAvyAzGyzw:history
CAvxDzyzyw:hook
yxHyyyyyyw:hooks
vxDyyyIwzw:hour
spruIrsYGw:how
wKxywyzzyw:html
xxIyyyyzyw:http
UomxqBtAPw:i
yDzyzzzyzw:i'd
xuyyyCyIyw:i'm
yyyzyvzHyw:idea
EFCuwyAxww:if
zyywuVAusw:il
yyyzyyFyyw:image
DDvxwyFyyw:images
xNwxxyxyyw:implement
xwHyyFwwyw:implementation
LvGyxwuyww:import
xyHyxrxGyw:imports
yyCFTBojyw:in
xywIyyyyyw:increase
Gyyzwzzyyw:index
yyBzyCzzxw:injection
zzyzyzCzyw:instala
yywxywQxvw:install
txxxNzyzzw:installation
zAIxxyxyyw:instead
yxxIyzxyzw:integration
xFGxxyvxzw:interface
rCKvxtHBww:into
yDEyyywxyw:introduce
zDyyyzyzzw:invites
vBEyzzzyzw:invoice
EAyyyyyyzw:invoices
umEBCxCEDw:is
KtyBxyyyyw:issue
DxyzyJzryw:ist
NtIvuuIruw:it
yzAzCzyyzw:it's
yxxyxzxzJw:italian
FyyyyAyyyw:items
FvExxyAyyw:its
yyyzyyvyJw:ja
yDAyyzzyyw:javascript
yFxwuxvIBw:job
DxyyBzyyyw:jour
vwByLywyxw:jsdoc
Gxxzyzyzzw:jumps
DyyzzwyDyw:just
wwCyyyyyHw:keep
yzzyyyEyzw:kept
yAzzzAzzzw:key
IGwuxyvyyw:keyboard
wwJCwyxyyw:klasse
swuwvyNIyw:kubernetes
EzGwForJsw:la
AFyyyyyyxw:language
xuDxxyNxvw:las
EuuvFEGsxw:last
GsuCxuKDuw:le
yAyzyBzzzw:leave
FvxyxyyxFw:left
xFBjvuSBww:les
vIxyyzyyzw:let
wLxyyyyyxw:let's
yCwEyyxByw:library
GvyyyuxrPw:like
KwwywwxGxw:line
vyNGywyqyw:lines
yyzyzyDyzw:lint
CBquxPtDww:list
zEyyyzyyyw:lists
xyxFCyxyyw:locally
yyEyzzzyzw:lodash
ywyEyyDyyw:log
yyAByyyByw:logic
OyuzzutEww:login
AuvxxxQvyw:logs
xyCyzyzCzw:long
wutxxTDwww:look
xxxzyywyLw:looks
psXxxxvCyw:loop
DBAAAxwxww:los
yyyyxwFyDw:mach
yLuzwutyIw:mail
xuvyxDMxyw:main
DEFDxutyuw:make
Hxyyyyyyyw:mal
yGuxFyxyyw:man
CxEyxxwsJw:many
vGCyyxyyyw:map
tDIyyywyyw:mb
xxyyIzzxyw:md
qqnvBDxYzw:me
wyxyyywxMw:meant
AvFxxyDyyw:memory
DGxwxzxyyw:menu
wxxyyEKxvw:merge
yAwyyEDwyw:merged
ywyxHyzzzw:mermaid
BJwxxyyyyw:message
yCyyyyyCyw:messages
xxFDxyxyyw:migrate
xxxyHEyuyw:migration
yyxyyvEEzw:migrations
yEyzzzyzzw:minute
CAyEzyxwyw:minutes
vHtxvxtVuw:mir
AyyBAAyyyw:missing
xAyDyzAyzw:mit
CPvwwywxww:mobile
xxxJyyyyzw:mock
DGwxxyxyyw:mode
xxxyDywxHw:model
ttHIwCwCvw:module
yzyCyyzByw:modulo
yyxyyyyHyw:moi
FxByyxxCww:moment
zyACHwwyww:more
xuHyyyABxw:move
xuuyyyvTyw:moving
yyEzyxwABw:much
Gxyyyzzyzw:must
vkswtYBpPw:my
wwHAByxxyw:módulo
yHxyxzyyzw:nach
BECwxwxtGw:name
DwCyyzzyzw:names
yyEyzzzyzw:native
CyyyyGzuzw:ne
yzxDyxxDyw:need
xvHCyyyyyw:needs
FuxExzyzyw:negative
xxyFyyEvzw:network
CwxyzyvyHw:never
vJztJywztw:new
ADwxxyuyJw:next
xuyyxyOyww:nginx
vDyyyyvyIw:nice
DwxxwyJvAw:night
AwzyyyGxzw:nightly
FvByrusHIw:no
vxKyyyyyzw:nobody
xuxxDwMyyw:node
HuyyyyByyw:non
CwwxyzwxKw:not
AAyyIywyww:notes
NuAyxxyxxw:nothing
wIvwDyvEww:now
yyyzyzGyww:npm
wFwywwxxKw:number
Luyyyyyyyw:não
QpuBvzDyvw:o
vvGEyzxzyw:object
tqIwBIrFAw:of
Gwyyyzzzzw:off
yyyzyExtIw:ok
ntwwIvSqJw:old
RnmvrONmDw:on
yAyyFyxyyw:onboarding
BCyyyzzzyw:once
vzCBswvvRw:one
xvLyyyxyyw:ones
BxywwGBCuw:only
yyyzyyHyxw:onto
HwxyxuFyyw:open
yDyxFyxxyw:openapi
yyyzyywyIw:option
yvzzzyyGzw:or
xEwCxxwEyw:order
yxxryvOEww:os
AwLuyyyyyw:other
yyxzyyxyIw:oui
xAvCBAAAww:our
BtGDwxxBxw:out
xyByBzzzzw:output
Jxxyyyxyyw:outside
BEyxDBvtxw:over
yyyyyxyHzw:overview
yxIyyyyyyw:own
yyAyyzEyyw:package
yyGyxzzzzw:packages
yGCuNwsuww:page
EAAywyyyzw:pages
yIxyyyyyyw:pagina
CCyyyyyxzw:pagination
yyyFyzyzzw:pagos
txRHvxuwww:para
BzDDvxxyyw:parser
yAzAzzzzzw:path
yCyDyzyyyw:paths
xHwyyzyzzw:payment
CNxxyywysw:paypal
tQAxxxwxxw:pdf
zHxyyyyyyw:people
zIwAxyxzyw:per
yyyzyyxyHw:perfect
xGyzzzyyyw:phone
yEyyyyyzzw:photo
CxyyyzDzzw:pick
xyyzzyLtzw:pipeline
uAszuxqKQw:plan
vBtCJKnsCw:please
Gxxyyzzzzw:pls
zyzzxzxzFw:poem
yLwyxyyyyw:por
txBzwuOBxw:port
xyCyyvyFzw:possible
yAyyHzwyxw:post
vuwBIyGxww:postgres
vFxEyyyyyw:pour
yvyxxEIxxw:pr
Fxyzyyyzyw:press
Luzyyyxyxw:price
EGwyvyyxzw:print
CByyyzyyzw:prints
yyyyyGyyzw:problems
vvxxyxLExw:process
wBxyyFBxyw:production
yEyyyyyzzw:profil
zCzyyzzzzw:profile
xEyyyzzzzw:progress
wuDwBIyCuw:project
yLxyyyyxww:projects
xyACyzzzzw:proper
DxyDyyyyyw:property
xvyyFyEyyw:proxy
xxvExyLxvw:pruebas
yzCyByyzyw:public
wGwywyGxxw:publish
utCvCNHtsw:pull
vCxyyxNxuw:push
yDyxFyxxyw:put
wxOwAxxyxw:py
xHwyxyExxw:python
BDxyyyyyyw:página
yyyzzKxuzw:quality
Hxyyyyyyzw:quand
Gvyyzzzzzw:quando
rICxwCxAxw:que
DxJyxAuwxw:query
xyJyxBxxxw:questa
yzyCyyzByw:questo
CAxxyxxFyw:queue
yyyzyEzyyw:qué
DxyyyCyyzw:race
yBvyyLwyxw:rate
yByxxzEyyw:react
wCtxxxvRxw:read
upuwYxswsw:readme
zyyDzzyzzw:real
ByzzywyCzw:reason
yyyzyyHyxw:rebase
zyyzzywzFw:recommend
xAyzzyItzw:red
wvwywwMFyw:redis
yxJyyyxyxw:reduce
zyHzzzvyyw:refactor
BwxyHzxyyw:reference
AzzzzyzBzw:regex
zyzBzzzzzw:regression
xrvzKxNxsw:release
vuFFBvwDxw:remove
wxJDxyvyyw:rename
Eyyyyzyzzw:repair
xuKAyyxyyw:replace
zyzyzwzEzw:repo
Fzyyyzyzyw:report
yyByzyyDzw:repository
DxyCyzyzyw:reproduce
utuwDRzBuw:request
yAyyyxEyzw:requests
GyvyyzCxyw:reset
CxyyyyEyyw:resolve
xEwxxyxHyw:rest
yyyzzzHzxw:restart
yxIyyyxyzw:restructure
vKBzxxwzxw:retry
KyAxyyxwxw:returns
BuwxvUvxvw:review
AvDyExyyyw:rewrite
yxCyxyEyzw:rid
zByByDyuzw:right
yxCCyzyyzw:route
BzxyxyyFyw:row
zruwAtTDww:run
vwyFyyFyyw:runners
zzzzzLzpzw:safe
RsExxwvwxw:same
Jwyxyyyzyw:save
yxyyDDyyyw:say
Exyzzyzzzw:says
xJvyyzyyyw:scan
xvwHByxCyw:scheduler
yxByyJyxvw:schema
yyyEBzxzzw:schreibe
AEyyxzyyyw:screen
yBxDxwADww:script
yyyCDzyyyw:scrivi
IzBxxyyxww:se
GBwxuxwHww:search
zvvxwGuyJw:second
zwKyyyyyxw:seconds
uytxPzyyyw:section
CwvxxMxwyw:security
DEwyyzyxxw:see
AzzzzAzzzw:self
AvrAwwRzww:server
wuIxvvHCxw:service
xxEyyyxCzw:services
vwwABxHDxw:set
BEyyyzyyyw:settings
wyFAzzyyzw:share
yyDyxyzBzw:shared
zyBzzDyvzw:ship
ByyzCzyyyw:short
uIvwwAzwIw:should
Fywzzyzyzw:shouldn't
FDtvuwECyw:show
ECxxyyxzyw:sidebar
zHzAyyxvyw:sign
yyyzyzxyHw:sim
yyLyyyxyvw:simplify
FxxyCzyxzw:since
yCtyyzFyyw:site
yBCyyzyyzw:size
zzzCzzyzzw:skip
DwxAyxxFyw:slow
wJxyyyxyyw:small
yyFzzyyyyw:smaller
xxyMxzvyzw:snapshots
ADGxwHwqww:so
rHFywxyzzw:soll
xwyFyzBzzw:some
ByyyyCyzyw:something
Hwyyyyyyzw:sort
xyzyytKzyw:space
xwsQxBwyxw:spec
yxyJxzyyzw:specs
wvFFyyxCww:split
zzzzzHzvww:spot
xwKyyDytyw:sql
yzyyzxyGzw:sqlite
yyxyyzGyzw:squash
wzKuvAxByw:src
yxxyyyIyxw:staging
DyyByyBxyw:start
BxyDyywDyw:starts
yxGCyywyyw:state
yADxyzyyzw:status
AyDzzzxyzw:stays
xywxBxEvGw:step
GyyxAyxyyw:steps
FxvyFwxAxw:still
xxvyxyEwJw:stop
Iyyzzyyuzw:stops
wAHyyzyyzw:store
yxKyxxvCxw:streams
wxByxDyDyw:structure
yyCyxEyxzw:style
wrvxDwwLGw:summarise
yCyyyzyCyw:summary
xOxwvvwFww:support
BuwGyywxGw:sure
wBExxvEAxw:switch
yyyzyzxzEw:sí
vFyHwvwCxw:table
yByyxzEyyw:tag
AAwxyEyAxw:take
yEyyzzzyzw:taken
pGEDxyxyyw:takes
xwxyxEzyGw:tell
DswxMyxyyw:ten
pkrYttrABw:test
yuwFxxKxww:testes
rmpYrBPrtw:tests
wExCxyvxGw:text
yyyzyyyzFw:thank
yyyzyyxyFw:thanks
rGtJwuxAGw:that
xyyyyzyyGw:that's
tCBHyrHAsw:the
BFxxxyBxyw:their
vyFEACysyw:them
vOwyyyxCuw:theme
HBxyyywyyw:then
zCAwwuxGBw:there
uvMyxHxsyw:these
uGItxvxCyw:they
xzEzzyzzzw:things
AyxyxDwyEw:think
opEAuXwLmw:this
zzzzzFzwxw:thread
pBzBBtrBOw:three
DswzxGrKxw:through
yxHzyyxyyw:tidy
CzxFyywyyw:time
wEyFyywyyw:times
uwDsztJxIw:to
wExwwxxKxw:todos
Hxyyyzyzzw:toggle
xyyFzyyAzw:token
vsIJwxzxww:too
zGyyyyyyyw:top
Eyyyzzyzzw:total
vxyyxwxOyw:trace
ywxyBzxyHw:translate
svCJxGyxww:ts
yyyzzKzszw:tu
xFDyyywyyw:turn
ywyxLzwyyw:tutorial
Jwxxyyyyzw:twice
yGtwvrvLGw:two
AxGywyyzyw:type
zrRwzywyyw:types
FwEyyyxyxw:typescript
EBxyyyyyyw:typing
xyxyHyyyyw:typos
tNCwExvxvw:um
wRuCvwzwww:un
xAxyyFzyzw:und
xuyyyyyNyw:understand
EwwyxwDEww:undo
yEyyyyyzzw:une
yyyFyzxzzw:unit
yyyFyzyzzw:unitarias
yyFyxzyzzw:unused
FoJxAsGsBw:up
vsvEFyIxxw:update
xuyyyyFFyw:upgrade
BBBBwFuwxw:upload
nuVywwrMvw:use
BxzCzryHyw:used
qPxBwyzxxw:user
yAxJCxvxww:users
xxHEyyxyxw:utils
xwHxCyxxyw:v1
uyyzHzzzzw:v2
yxxyIyyzyw:v3
yxxyIyyzyw:v4
yxHyyzxyyw:validation
zyGzyxxBxw:variable
vtIxCyzByw:variables
ywyIyzyzyw:verify
yxxxwxLAxw:version
DxAyyzyyzw:visible
yyyGzzvzzw:vitest
yuxzyyvEIw:wait
sFyxxBFyyw:want
Kyyzywzuyw:warum
DxyyxuEByw:was
CzyzzEyuzw:way
sqyyGnzYqw:we
xEyyyyyByw:webhooks
Fxyzyzyyzw:week
xCyDyzxzyw:well
sqzuCzxLHw:what
yyyyyyyvKw:what's
YArtsvtBvw:when
xHyyyyyyzw:whenever
yyzBwyuKxw:where
xtxxyDDEyw:whether
vzwAxvwPxw:which
uyxyAqywUw:who
HvwwHpEDvw:why
xxxyFxyDyw:wie
yByyDzxyyw:windows
FwyzytyGyw:wird
FEvBDuAlFw:with
xxCxyyyGyw:without
SxvxvuvKrw:work
DzwxwyzKvw:worker
BwxyyzGyxw:workers
tGwxxIxEtw:would
vztEHuuAFw:write
yIyvExywxw:written
TsvwEzwuww:wrong
yyyzywzDDw:y
yxxyyywyKw:yes
AxxyyyJyxw:yesterday's
yxyAzzzEyw:yet
wsrwuStiYw:you
DyyyyGxrDw:your
ByyDyzyyzw:zero
DxyyBzyyyw:à
yyyzyzxzFw:да
wIuIExuwvw:добавь
yowrYywyxw:к
vtoxvYpSpw:код
wvLSuwqwuw:модуль
KnNPtwstuw:на
xIvGFxtwvw:напиши
YnDvwwvxxw:не
YKqwuupuqw:при
xIxyxxGxuw:сделай
xrxMvyRxpw:тесты
zzyzyGyxyw:что
vvNxwtrUsw:этот
sLxAxtvFCw:い
yxxJIyvuvw:いて
vyyyyuxSvw:いま
vxxyyLxEtw:か
ywAByuBHww:くだ
sMvxxytuOw:けて
wwKJvMrotw:この
ywAByuBHww:さい
NwwxxwvItw:され
LEFxApTqbw:して
OvvxwPuttw:す
vxxyyLxEtw:すか
ywAByuBHww:ださ
nzUCGuFukw:て
vyyyyuxSvw:てい
ywAByuBHww:てく
xxMyxvvDxw:の関
JutxvKsMpw:ます
NwwxxwvItw:れて
yxxJIyvuvw:を書
vMsLDxoxvw:を追
upQvFOsurw:コー
wsuWtyGxuw:スト
NJwxxytxqw:タン
wsuWtyGxuw:テス
vssDPxHxtw:トを
wNNwvxtuuw:ドを
NJwxxytxqw:ボタ
xvwxTyvyxw:メン
NJwxxytxqw:ンを
xvwxTyvyxw:ント
uusxvPNxtw:ーを
sIIuENptqw:ード
vvuyvPmUsw:一下
oYAxvwvwlw:一个
xwBOxvuBvw:个函
yxwyyxxQuw:个项
OtOxxxtxpw:了
yzzzzszOuw:什么
qpAvWICMaw:代码
Yvwyvxtxnw:保存
wNwyAyzysw:写一
Wwxyxxuytw:决
xwBOxvuBvw:函数
vMsLDxoxvw:加し
vMwyxytyEw:可以
yzzzzwzHww:哪里
yzzzzwzHww:在哪
vNOxwyowvw:変更
yxLyyyxyxw:复的
OMvyxxuxnw:头像
JvsxxYtwow:帮我
HKwyxxvytw:录页
yxLyyyxyxw:把重
yxLyyyxyxw:提取
LxyyxyxAvw:数据
wwQyxxBxuw:文件
GuuxYxoxfw:更新
yxxJIyvuvw:書い
vvwyxxYxgw:服务
Uwxywywytw:没有
ttsYvwGwiw:测试
wYwyxxuxpw:添加
uYwyxxuxnw:用户
YFuxwwsxow:登录
vvvxxvsSIw:的
wwIxwVsstw:的代
utsxrLNPkw:码
yxLyyyxyxw:码提
xyyzyzvyKw:继续
xyyzyzvyKw:续
Wwxyxxuytw:解决
vwuLxxNxrw:试
KwxuxxOxpw:运行
oqXJtSkMaw:这个
vMsLDxoxvw:追加
yzzzzwzHww:配置
yzzzzwzHww:里配
yxLyyyxyxw:重复
wwYxxwvxtw:重构
xxMyxvvDxw:関数
NvyyySxlrw:问题
QIwxxxuxqw:页面
yxwyyxxQuw:项目
yNvHxwrxxw:가해
FIEttLvmvw:게
KvwyxNynxw:도
xJHvrOnxvw:드를
sxJCCGAtqw:를
ywuGQxryxw:성해
xBCCGsrvFw:세요
xvvMwyEyxw:스트
NwyAEmpHzw:요
CKovPwwwtw:을
VnDCutuBww:이
ywuGQxryxw:작성
ywuGQxryxw:작성해
xBCCGsrvFw:주세
xBCCGsrvFw:주세요
sAruHIWukw:줘
yNvHxwrxxw:추가
yNvHxwrxxw:추가해
vqFwNQqwrw:코드
ytKxsRsyvw:코드를
xvvMwyEyxw:테스
xvvMwyEyxw:테스트를
xvvMwyEyxw:트를
vvKFwvvCyw:함수
kHBzvDPsvw:해
`;
