/** The suggestions of the business type box, by group. Compact, because the search screen loads it. */
export const BUSINESS_TYPE_GROUPS: Readonly<Record<string, readonly string[]>> = split({
  'Food and drink':
    'Restaurant|Indian restaurant|Chinese restaurant|Italian restaurant|Thai restaurant|Japanese restaurant|Sushi restaurant|Korean restaurant|Vietnamese restaurant|Mexican restaurant|Turkish restaurant|Greek restaurant|French restaurant|Spanish restaurant|Tapas bar|Lebanese restaurant|Caribbean restaurant|American restaurant|British restaurant|Seafood restaurant|Steakhouse|Vegetarian restaurant|Vegan restaurant|Pizza restaurant|Burger restaurant|Fish and chip shop|Kebab shop|Chicken shop|Fast food|Takeaway|Breakfast and brunch|Cafe|Coffee shop|Tea room|Sandwich shop|Ice cream parlour|Bakery|Cake shop|Deli|Pub|Bar|Brewery|Distillery|Catering service',
  Shops:
    "Supermarket|Convenience store|Newsagent|Off licence|Greengrocer|Butcher|Fishmonger|Farm shop|Health food shop|Sweet shop|Department store|Discount store|Charity shop|Antique shop|Pawnbroker|Clothing shop|Boutique|Bridal shop|Shoe shop|Jeweller|Book shop|Toy shop|Gift shop|Card shop|Craft shop|Florist|Garden centre|Pet shop|Pharmacy|Chemist|Optician|Cosmetics shop|Vape shop|Mobile phone shop|Electronics shop|Computer shop|Video game shop|Camera shop|Musical instrument shop|Furniture shop|Bed shop|Carpet shop|Kitchen showroom|Bathroom showroom|Curtain and blind shop|Homeware shop|Appliance shop|Hardware shop|DIY shop|Builders' merchant|Bicycle shop|Outdoor shop|Sports shop|Picture framer|Market|Shopping centre|Wholesaler",
  Health:
    'Doctor|Medical clinic|Hospital|Dentist|Physiotherapist|Chiropractor|Osteopath|Podiatrist|Optometrist|Hearing aid centre|Counsellor|Psychotherapist|Acupuncturist|Care home|Home care agency|Veterinary surgeon',
  'Beauty and fitness':
    'Hairdresser|Barber|Beauty salon|Nail salon|Tanning salon|Spa|Massage therapist|Tattoo studio|Gym|Yoga studio|Pilates studio|Dance school|Martial arts school|Swimming pool|Leisure centre|Golf club|Football club|Sports club',
  Lodging: 'Hotel|Bed and breakfast|Guest house|Hostel|Holiday cottage|Serviced apartment|Campsite|Caravan park',
  Motor:
    'Car dealer|Used car dealer|Car repair garage|MOT centre|Tyre shop|Car body shop|Car parts shop|Car wash|Car valeting|Car hire|Motorcycle dealer|Caravan dealer|Petrol station|EV charging station|Breakdown recovery|Taxi service|Coach hire|Driving school',
  Entertainment:
    'Cinema|Theatre|Music venue|Nightclub|Casino|Bookmaker|Amusement arcade|Bowling alley|Escape room|Soft play centre|Go-kart track|Ice rink|Theme park|Zoo|Museum|Art gallery|Wedding venue|Event venue|Conference centre|Tourist attraction',
  'Professional services':
    'Accountant|Tax adviser|Solicitor|Estate agent|Letting agent|Surveyor|Mortgage broker|Financial adviser|Insurance broker|Bank|Recruitment agency|Marketing agency|Web designer|Graphic designer|IT support company|Software company|Telecoms company|Business consultant|Architect|Structural engineer|Interior designer|Photographer|Printer|Sign maker|Translator|Security company|Coworking space|Self storage|Courier|Removals company|Travel agent|Funeral director',
  Trades:
    'Plumber|Electrician|Heating engineer|Builder|Roofer|Carpenter|Plasterer|Painter and decorator|Tiler|Flooring contractor|Glazier|Window and door fitter|Scaffolder|Landscape gardener|Tree surgeon|Fencing contractor|Paving contractor|Solar panel installer|Locksmith|Cleaning company|Window cleaner|Pest control|Skip hire|Tool hire|Tailor|Shoe repair|Dry cleaner|Laundrette|Phone repair|Appliance repair|Dog groomer|Kennels and cattery',
  Education:
    'Nursery|Childminder|Primary school|Secondary school|College|University|Music school|Tutor|Training provider|Library',
  Religious: 'Church|Mosque|Synagogue|Hindu temple|Gurdwara|Buddhist temple',
  'Non-profit': 'Charity|Community centre|Social club|Animal shelter|Housing association',
  Industry: 'Manufacturer|Haulage company|Company office',
});

export const BUSINESS_TYPES: readonly string[] = Object.values(BUSINESS_TYPE_GROUPS).flat();

/** The longest has 23 letters. */
export const MAX_TYPE_LENGTH = 50;

export const isBusinessType = (label: string) => BUSINESS_TYPES.includes(label);

function split(groups: Record<string, string>) {
  return Object.fromEntries(Object.entries(groups).map(([group, labels]) => [group, labels.split('|')]));
}
