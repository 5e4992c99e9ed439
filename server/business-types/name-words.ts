/**
 * Words of names that say what a business is, besides the labels of the types themselves. Longer phrases win over shorter
 * ones, so that "turkish barber" is a barber. No brands: what they are changes, and the sources of places know it.
 */
const LINES = `
Restaurant: bistro, brasserie, eatery, grill, bar and grill
Indian restaurant: indian, tandoori, balti, biryani, curry, curry house, indian takeaway, tandoori takeaway
Chinese restaurant: chinese, chinese takeaway, dim sum, noodle bar, wok
Italian restaurant: italian, trattoria, ristorante, osteria
Thai restaurant: thai
Japanese restaurant: japanese, ramen, izakaya
Sushi restaurant: sushi, sushi bar
Korean restaurant: korean
Vietnamese restaurant: vietnamese, pho, banh mi
Mexican restaurant: mexican, taqueria, burrito, burritos, tacos, cantina
Turkish restaurant: turkish, ocakbasi
Greek restaurant: greek, taverna
French restaurant: french, creperie
Spanish restaurant: spanish
Tapas bar: tapas
Lebanese restaurant: lebanese
Caribbean restaurant: caribbean, jerk chicken
American restaurant: diner
Seafood restaurant: seafood, oyster bar
Steakhouse: steak house, steaks
Pizza restaurant: pizza, pizzas, pizzeria
Burger restaurant: burger, burgers
Fish and chip shop: fish and chips, fish and chip, fish chips, chippy, chip shop, fish bar, fryer, fisheries
Kebab shop: kebab, kebabs, doner, shawarma
Chicken shop: fried chicken, peri peri
Takeaway: take away
Breakfast and brunch: breakfast, brunch
Cafe: caffe
Coffee shop: coffee, coffee house, coffee bar, coffee roasters, espresso, espresso bar
Tea room: tearoom, tearooms, tea rooms, tea house
Sandwich shop: sandwich, sandwiches, sandwich bar, snack bar, baguettes
Ice cream parlour: ice cream, ice creams, gelato, gelateria, desserts, dessert bar
Bakery: bakers, bakehouse, patisserie
Cake shop: cake, cakes, cupcakes
Deli: delicatessen
Pub: arms, inn, tavern, alehouse, ale house, public house, freehouse, taproom, tap room, red lion, white hart, royal oak, queens head, kings head, nags head, rose and crown
Bar: wine bar, cocktail bar, sports bar, gin bar
Brewery: brewing, brewers
Distillery: distillers, distilling
Catering service: catering, caterers
Supermarket: superstore, cash and carry
Convenience store: minimarket, mini market, mini mart, minimart, corner shop, general store, general stores
Newsagent: news
Off licence: wines, wine merchant, wine merchants, vintners, off license
Greengrocer: fruit and veg
Butcher: butchery, meats, butchers shop
Sweet shop: sweets, confectionery, candy
Charity shop: hospice shop
Antique shop: antique, antiques
Clothing shop: clothing, clothes, clothiers, menswear, womenswear, fashions
Bridal shop: bridal, brides, bridalwear
Shoe shop: shoes, footwear
Jeweller: jewellery, jewelers, goldsmiths
Book shop: books, bookshop, booksellers
Toy shop: toys
Gift shop: gifts
Craft shop: crafts, haberdashery
Florist: flowers, floral, flower shop
Garden centre: garden centres, plant centre
Pet shop: pets, pet supplies, aquatics
Optician: optical, eyecare, eyewear
Vape shop: vape, vapes, vaping
Mobile phone shop: mobile phones, mobiles, phone shop
Electronics shop: electronics
Computer shop: computers
Furniture shop: furniture, sofas
Bed shop: beds
Carpet shop: carpets
Kitchen showroom: kitchens
Bathroom showroom: bathrooms
Curtain and blind shop: blinds, curtains, curtains and blinds
Homeware shop: homeware, homewares
Appliance shop: appliances, domestic appliances
Hardware shop: hardware, ironmongers
DIY shop: diy
Builders' merchant: builders merchants, building supplies, timber, timber merchants
Bicycle shop: cycles, bikes, bicycles, cycle shop, bike shop
Sports shop: sportswear
Picture framer: framing, framers, picture framing
Wholesaler: wholesale
Doctor: surgery, doctors surgery, medical practice, gp surgery
Medical clinic: clinic, medical centre, health centre
Dentist: dental, dentistry, orthodontics, orthodontists, dental surgery, dental clinic, dental centre, dental practice, dental care
Physiotherapist: physio, physiotherapy, physiotherapy clinic
Chiropractor: chiropractic, chiropractic clinic
Osteopath: osteopathy, osteopathic
Podiatrist: podiatry, chiropody, chiropodist, footcare, foot clinic
Hearing aid centre: hearing, hearing centre
Counsellor: counselling
Psychotherapist: psychotherapy
Acupuncturist: acupuncture
Care home: nursing home, residential home, residential care
Home care agency: homecare, home care, domiciliary care
Veterinary surgeon: vet, vets, veterinary, veterinary surgery, veterinary clinic, veterinary centre, animal hospital
Hairdresser: hair, hairdressing, hairdressers, hair salon, hair studio, hair design, hair stylist, hair stylists, salon
Barber: barbering, barbershop, barber shop, barbers shop, turkish barber, turkish barbers
Beauty salon: beauty, beauty clinic, beauty therapy, aesthetics, brows, lashes, hair and beauty
Nail salon: nails, nail bar, nail studio
Tanning salon: tanning
Massage therapist: massage, thai massage, sports massage
Tattoo studio: tattoo, tattoos, tattooist
Gym: fitness, fitness centre, crossfit
Yoga studio: yoga
Pilates studio: pilates
Dance school: dance, dance studio, dance academy
Martial arts school: martial arts, karate, judo, taekwondo, jiu jitsu
Golf club: golf, golf course
Football club: fc, afc
Sports club: cricket club, rugby club, tennis club, bowls club, athletics club
Bed and breakfast: b and b, bed breakfast
Guest house: guesthouse
Hotel: holiday inn, premier inn, hotel and spa
Holiday cottage: cottages, holiday cottages, holiday lets
Serviced apartment: apartments
Campsite: camping
Caravan park: holiday park
Caravan dealer: caravans
Car dealer: motors, car sales
Used car dealer: used cars
Car repair garage: garage, garages, auto repairs, car repairs, autos, motor services, auto centre, service centre, vehicle repairs
MOT centre: mot, mots
Tyre shop: tyre, tyres, tyres and exhausts
Car body shop: bodyshop, body shop, bodyworks, accident repair, accident repairs
Car parts shop: car parts, car spares, motor spares, motor factors
Car wash: hand car wash
Car valeting: valeting, car detailing
Car hire: van hire, vehicle hire, car rental, car and van hire
Motorcycle dealer: motorcycles
Petrol station: filling station, service station
Breakdown recovery: recovery
Taxi service: taxi, taxis, cabs, minicabs, private hire
Coach hire: coaches, minibus hire
Driving school: driving, school of motoring, driving instructor, driving tuition
Nightclub: night club
Bookmaker: betting, bookmakers
Escape room: escape rooms
Soft play centre: soft play, play centre
Go-kart track: karting
Art gallery: gallery
Accountant: accountancy, accounting, bookkeeping, bookkeepers, chartered accountants
Tax adviser: tax
Solicitor: law, legal, lawyers, law firm
Estate agent: estates
Letting agent: lettings, property management
Surveyor: surveying, surveyors
Bank: building society
Mortgage broker: mortgages, mortgage
Financial adviser: financial services, financial planning, wealth management, financial, wealth
Insurance broker: insurance, insurance services
Recruitment agency: recruitment, staffing
Marketing agency: marketing, advertising, digital marketing
Web designer: web design, website design, web development
Graphic designer: graphic design
IT support company: it support, it services, it solutions, computer repairs
Software company: software
Telecoms company: telecoms, telecom
Business consultant: consulting, consultancy, consultants
Architect: architects, architecture, architectural
Interior designer: interior design, interiors
Photographer: photography, photo studio
Printer: printing, print, printworks
Sign maker: signs, signage
Translator: translations, translation
Security company: security, security services
Self storage: storage
Removals company: removals, man and van
Travel agent: travel, travels
Funeral director: funerals, funeral services, funeral service, undertakers
Plumber: plumbing, plumbing and heating, plumbers and heating engineers
Electrician: electrical, electricals, electrics, electrical contractors, electrical services
Heating engineer: heating, boilers, gas services, heating services
Builder: building, construction, building contractors, building services, home improvements, loft conversions
Roofer: roofing, roofing services, roofing contractors
Carpenter: carpentry, joinery, joiner
Plasterer: plastering
Painter and decorator: decorator, decorating, painters and decorators, painting and decorating
Tiler: tiling
Flooring contractor: flooring, floors
Glazier: glazing, glass
Window and door fitter: windows, garage door, garage doors, double glazing, windows and doors, conservatories
Scaffolder: scaffolding
Landscape gardener: landscaping, landscapes, gardening, garden services, gardener
Tree surgeon: tree services, tree care, tree surgery
Fencing contractor: fencing
Paving contractor: paving, driveways, block paving
Solar panel installer: solar
Cleaning company: cleaning, cleaners, cleaning services
Window cleaner: window cleaning, window cleaning services
Pest control: pest
Skip hire: skips
Tool hire: plant hire
Tailor: tailoring, alterations
Shoe repair: cobblers, shoe repairs
Dry cleaner: dry cleaning
Laundrette: launderette, laundry, laundromat
Phone repair: phone repairs
Appliance repair: appliance repairs
Dog groomer: dog grooming, grooming, pet grooming
Kennels and cattery: kennels, cattery
Nursery: day nursery, preschool, pre school, kindergarten
Childminder: childcare, childminding
Primary school: infant school, junior school, c of e primary
Secondary school: high school, grammar school
Tutor: tuition, tutoring
Training provider: training
Church: methodist church, baptist church, parish church
Mosque: masjid
Charity: food bank, hospice
Community centre: village hall, community hall
Social club: working mens club
Housing association: housing
Manufacturer: manufacturing
Haulage company: haulage, logistics, freight, transport`;

/** Each phrase with the label of its type. */
export const NAME_WORDS: readonly (readonly [phrase: string, label: string])[] = LINES.trim()
  .split('\n')
  .flatMap((line) => {
    const [label = '', phrases = ''] = line.split(': ');
    return phrases.split(', ').map((phrase) => [phrase, label] as const);
  });
