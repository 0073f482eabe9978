import { wordList } from '../../words.js'

/** Names of which the scripted repositories, people and jobs are made. */
export const folders = wordList(`
  src src/core src/api src/utils src/server src/client/components lib lib/net app/models
  app/views app/services internal/store internal/auth pkg/config packages/web/src
  packages/shared/src tests tests/unit test/integration scripts django/db/backends
  sklearn/linear_model sympy/core astropy/io crates/engine/src`)

export const stems = wordList(`
  account adapter auth backup billing cache calendar checkout client codec config context
  controller cursor database dispatcher encoder engine export fetcher filters formatter gateway
  handler helpers http importer index inventory invoice loader lexer locale logger mailer manager
  merge metrics middleware migration models monitor normalizer notifier orders pagination parser
  payments permissions pipeline planner pool printer profile queue reader registry renderer
  report resolver retry router scheduler schema search serializer session settings shipping
  signals snapshot socket sorter storage stream tokens tracker transport upload users validator
  vectors watcher widgets worker writer`)

export const verbs = wordList(`
  add apply build check clear close collect compute convert create decode delete encode fetch
  filter find flush format get handle init insert join list load make map merge normalize open
  parse patch prepare publish read refresh register remove render reset resolve save schedule
  send set sort split store sync update validate write`)

export const subjects = wordList(`
  Account Address Batch Buffer Cart Category Chunk Column Comment Config Connection Cookie
  Customer Date Device Document Entry Event Field File Group Header Image Index Invoice Item Job
  Key Label Layout Line Link Message Metric Node Notification Option Order Packet Page Path
  Payment Policy Price Profile Query Record Region Request Response Role Row Rule Schema Session
  Setting Shape Signal State Table Tag Task Template Ticket Token Transaction User Value Vector
  Version Window`)

export const people = wordList(`
  amelia boris chen dalia emeka fatima goran hana ivan jun kofi lena mateo nadia omar priya
  quentin rosa sven tariq uma viktor`)

export const packagesOnRegistry = wordList(`
  numpy requests pytest-asyncio lxml pydantic attrs left-pad zod chalk express undici
  better-sqlite3 sharp serde tokio clap gorilla/mux guava jackson-databind mockito-core jinja2
  sqlalchemy pillow cryptography h5py`)
