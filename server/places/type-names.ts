/** One kind of business in the words of each source. */
export interface TypeNames {
  label: string;
  /** A type of Google's Table A, where there is one. */
  google: string | null;
  overture: string | null;
  /** `;` separates alternatives, `&` joins the filters of one, `!=` excludes. */
  osm: string | null;
}

// Label, Google type, Overture category, OpenStreetMap selectors.
const LINES = `
Restaurant|restaurant|restaurant|amenity=restaurant
Indian restaurant|indian_restaurant|indian_restaurant|amenity=restaurant&cuisine=indian
Chinese restaurant|chinese_restaurant|chinese_restaurant|amenity=restaurant&cuisine=chinese
Italian restaurant|italian_restaurant|italian_restaurant|amenity=restaurant&cuisine=italian
Thai restaurant|thai_restaurant|thai_restaurant|amenity=restaurant&cuisine=thai
Japanese restaurant|japanese_restaurant|japanese_restaurant|amenity=restaurant&cuisine=japanese
Sushi restaurant|sushi_restaurant|sushi_restaurant|amenity=restaurant&cuisine=sushi
Korean restaurant|korean_restaurant|korean_restaurant|amenity=restaurant&cuisine=korean
Vietnamese restaurant|vietnamese_restaurant|vietnamese_restaurant|amenity=restaurant&cuisine=vietnamese
Mexican restaurant|mexican_restaurant|mexican_restaurant|amenity=restaurant&cuisine=mexican
Turkish restaurant|turkish_restaurant|turkish_restaurant|amenity=restaurant&cuisine=turkish
Greek restaurant|greek_restaurant|greek_restaurant|amenity=restaurant&cuisine=greek
French restaurant|french_restaurant|french_restaurant|amenity=restaurant&cuisine=french
Spanish restaurant|spanish_restaurant|spanish_restaurant|amenity=restaurant&cuisine=spanish
Tapas bar|tapas_restaurant|tapas_bar|amenity=restaurant&cuisine=tapas
Lebanese restaurant|lebanese_restaurant|lebanese_restaurant|amenity=restaurant&cuisine=lebanese
Caribbean restaurant|caribbean_restaurant|caribbean_restaurant|amenity=restaurant&cuisine=caribbean
American restaurant|american_restaurant|american_restaurant|amenity=restaurant&cuisine=american
British restaurant|british_restaurant|british_restaurant|amenity=restaurant&cuisine=british
Seafood restaurant|seafood_restaurant|seafood_restaurant|amenity=restaurant&cuisine=seafood
Steakhouse|steak_house|steakhouse|amenity=restaurant&cuisine=steak_house
Vegetarian restaurant|vegetarian_restaurant|vegetarian_restaurant|amenity=restaurant&diet:vegetarian=only
Vegan restaurant|vegan_restaurant|vegan_restaurant|amenity=restaurant&diet:vegan=only
Pizza restaurant|pizza_restaurant|pizza_restaurant|amenity=restaurant&cuisine=pizza;amenity=fast_food&cuisine=pizza
Burger restaurant|hamburger_restaurant|burger_restaurant|amenity=restaurant&cuisine=burger;amenity=fast_food&cuisine=burger
Fish and chip shop|fish_and_chips_restaurant|fish_and_chips_restaurant|amenity=fast_food&cuisine=fish_and_chips
Kebab shop|kebab_shop|doner_kebab_restaurant|amenity=fast_food&cuisine=kebab
Chicken shop|chicken_restaurant|chicken_restaurant|amenity=fast_food&cuisine=chicken
Fast food|fast_food_restaurant|fast_food_restaurant|amenity=fast_food
Takeaway|meal_takeaway|fast_food_restaurant|amenity=fast_food
Breakfast and brunch|brunch_restaurant|breakfast_and_brunch_restaurant|amenity=cafe&cuisine=breakfast
Cafe|cafe|cafe|amenity=cafe
Coffee shop|coffee_shop|coffee_shop|amenity=cafe&cuisine=coffee_shop;shop=coffee
Tea room|tea_house|tea_room|amenity=cafe&cuisine=tea
Sandwich shop|sandwich_shop|sandwich_shop|amenity=fast_food&cuisine=sandwich
Ice cream parlour|ice_cream_shop|ice_cream_shop|amenity=ice_cream;shop=ice_cream
Bakery|bakery|bakery|shop=bakery
Cake shop|cake_shop|patisserie_cake_shop|shop=pastry
Deli|deli|delicatessen|shop=deli
Pub|pub|pub|amenity=pub
Bar|bar|bar|amenity=bar
Brewery|brewery|brewery|craft=brewery
Distillery||distillery|craft=distillery
Catering service|catering_service|caterer|craft=caterer
Supermarket|supermarket|grocery_store|shop=supermarket
Convenience store|convenience_store|convenience_store|shop=convenience
Newsagent||newspaper_and_magazines_store|shop=newsagent
Off licence|liquor_store|liquor_store|shop=alcohol;shop=wine;shop=beverages
Greengrocer|grocery_store|produce_store|shop=greengrocer
Butcher|butcher_shop|butcher_shop|shop=butcher
Fishmonger||seafood_market|shop=seafood
Farm shop|farmers_market|farmers_market|shop=farm
Health food shop|health_food_store|health_food_store|shop=health_food
Sweet shop|candy_store|candy_store|shop=confectionery
Department store|department_store|department_store|shop=department_store
Discount store|discount_store|discount_store|shop=variety_store
Charity shop|thrift_store|second_hand_store|shop=charity
Antique shop||antique_store|shop=antiques
Pawnbroker||pawn_shop|shop=pawnbroker
Clothing shop|clothing_store|clothing_store|shop=clothes
Boutique|clothing_store|fashion_boutique|shop=boutique
Bridal shop||bridal_shop|shop=clothes&clothes=wedding
Shoe shop|shoe_store|shoe_store|shop=shoes
Jeweller|jewelry_store|jewelry_store|shop=jewelry
Book shop|book_store|bookstore|shop=books
Toy shop|toy_store|toy_store|shop=toys
Gift shop|gift_shop|gift_shop|shop=gift
Card shop|gift_shop|cards_and_stationery_store|shop=stationery
Craft shop||craft_store|shop=craft
Florist|florist|florist|shop=florist
Garden centre|garden_center|nursery_and_gardening_store|shop=garden_centre
Pet shop|pet_store|pet_store|shop=pet
Pharmacy|pharmacy|pharmacy|amenity=pharmacy
Chemist|drugstore|drugstore|shop=chemist
Optician||eyewear_store|shop=optician
Cosmetics shop|cosmetics_store|cosmetics_and_fragrance_store|shop=cosmetics;shop=perfumery
Vape shop||smoke_and_vape_store|shop=e-cigarette
Mobile phone shop|cell_phone_store|mobile_phone_store|shop=mobile_phone
Electronics shop|electronics_store|electronics_store|shop=electronics
Computer shop|electronics_store|computer_store|shop=computer
Video game shop||video_game_store|shop=video_games
Camera shop||camera_and_photography_store|shop=camera;shop=photo
Musical instrument shop||musical_instrument_store|shop=musical_instrument
Furniture shop|furniture_store|furniture_store|shop=furniture
Bed shop|furniture_store|mattress_store|shop=bed
Carpet shop|home_goods_store|carpet_store|shop=carpet;shop=flooring
Kitchen showroom|home_improvement_store|kitchen_and_bath_store|shop=kitchen
Bathroom showroom|home_improvement_store|kitchen_and_bath_store|shop=bathroom_furnishing
Curtain and blind shop|home_goods_store|window_treatment_store|shop=curtain;shop=window_blind
Homeware shop|home_goods_store|home_goods_store|shop=houseware;shop=interior_decoration
Appliance shop|electronics_store|appliance_store|shop=appliance
Hardware shop|hardware_store|hardware_store|shop=hardware
DIY shop|home_improvement_store|home_improvement_store|shop=doityourself
Builders' merchant|building_materials_store|building_supply_store|shop=trade
Bicycle shop|bicycle_store|bike_store|shop=bicycle
Outdoor shop|sporting_goods_store|outdoor_store|shop=outdoor
Sports shop|sporting_goods_store|sporting_goods_store|shop=sports
Picture framer||framing_store|shop=frame
Market|market|market|amenity=marketplace
Shopping centre|shopping_mall|shopping_mall|shop=mall
Wholesaler|wholesaler|wholesaler|shop=wholesale
Doctor|doctor|doctors_office|amenity=doctors
Medical clinic|medical_clinic|medical_center|amenity=clinic
Hospital|hospital|hospital|amenity=hospital
Dentist|dentist|general_dentistry|amenity=dentist
Physiotherapist|physiotherapist|physical_therapy|healthcare=physiotherapist
Chiropractor|chiropractor|chiropractic|healthcare=alternative&healthcare:speciality=chiropractic
Osteopath||osteopath|healthcare=alternative&healthcare:speciality=osteopathy
Podiatrist|foot_care|podiatrist|healthcare=podiatrist
Optometrist||optometry|healthcare=optometrist
Hearing aid centre||audiology|shop=hearing_aids;healthcare=audiologist
Counsellor||counseling|healthcare=counselling
Psychotherapist||psychotherapy|healthcare=psychotherapist
Acupuncturist||acupuncture|healthcare=alternative&healthcare:speciality=acupuncture
Care home||senior_living_facility|amenity=nursing_home;amenity=social_facility&social_facility=nursing_home
Home care agency||home_health_care|office=healthcare
Veterinary surgeon|veterinary_care|veterinarian|amenity=veterinary
Hairdresser|hair_salon|hair_salon|shop=hairdresser
Barber|barber_shop|barber|shop=hairdresser&male=yes
Beauty salon|beauty_salon|beauty_salon|shop=beauty
Nail salon|nail_salon|nail_salon|shop=beauty&beauty=nails
Tanning salon|tanning_studio|tanning_salon|shop=beauty&beauty=tanning
Spa|spa|day_spa|shop=beauty&beauty=spa
Massage therapist|massage|massage_therapy|shop=massage
Tattoo studio|body_art_service|tattoo_and_piercing|shop=tattoo
Gym|gym|gym|leisure=fitness_centre
Yoga studio|yoga_studio|yoga_studio|leisure=fitness_centre&sport=yoga
Pilates studio|fitness_center|pilates_studio|leisure=fitness_centre&sport=pilates
Dance school||dance_studio|amenity=dancing_school;leisure=dance
Martial arts school|sports_school|martial_arts_club|amenity=dojo
Swimming pool|swimming_pool|swimming_pool|leisure=swimming_pool&access!=private;leisure=sports_centre&sport=swimming
Leisure centre|sports_complex|sports_complex|leisure=sports_centre
Golf club|golf_course|golf_course|leisure=golf_course
Football club|sports_club|soccer_club|club=sport&sport=soccer
Sports club|sports_club|sport_or_recreation_club|club=sport
Hotel|hotel|hotel|tourism=hotel
Bed and breakfast|bed_and_breakfast|bed_and_breakfast|tourism=guest_house&guest_house=bed_and_breakfast
Guest house|guest_house|guest_house|tourism=guest_house
Hostel|hostel|hostel|tourism=hostel
Holiday cottage|cottage|holiday_rental_home|tourism=chalet;tourism=apartment
Serviced apartment|extended_stay_hotel|service_apartment|tourism=apartment
Campsite|campground|campground|tourism=camp_site
Caravan park|rv_park|rv_park|tourism=caravan_site
Car dealer|car_dealer|auto_dealer|shop=car
Used car dealer|car_dealer|used_auto_dealer|shop=car&second_hand=yes
Car repair garage|car_repair|automotive_repair|shop=car_repair
MOT centre|car_repair|car_inspection|shop=car_repair&service:vehicle:mot=yes;amenity=vehicle_inspection
Tyre shop|tire_shop|tire_shop|shop=tyres
Car body shop||auto_body_shop|shop=car_repair&service:vehicle:body_repair=yes
Car parts shop|auto_parts_store|auto_parts_store|shop=car_parts
Car wash|car_wash|car_wash|amenity=car_wash
Car valeting|car_wash|auto_detailing|amenity=car_wash
Car hire|car_rental|car_rental_service|amenity=car_rental
Motorcycle dealer||motorcycle_dealer|shop=motorcycle
Caravan dealer||recreational_vehicle_dealer|shop=caravan
Petrol station|gas_station|gas_station|amenity=fuel
EV charging station|electric_vehicle_charging_station|ev_charging_station|amenity=charging_station
Breakdown recovery||towing_service|service:vehicle:towing=yes
Taxi service|taxi_service|taxi_service|amenity=taxi
Coach hire|transportation_service|coach_bus|office=bus_company
Driving school||driving_school|amenity=driving_school
Cinema|movie_theater|movie_theater|amenity=cinema
Theatre|performing_arts_theater|theatre_venue|amenity=theatre
Music venue|live_music_venue|music_venue|amenity=music_venue
Nightclub|night_club|dance_club|amenity=nightclub
Casino|casino|casino|amenity=casino
Bookmaker||betting_center|shop=bookmaker
Amusement arcade|video_arcade|arcade|leisure=amusement_arcade
Bowling alley|bowling_alley|bowling_alley|leisure=bowling_alley
Escape room|amusement_center|escape_room|leisure=escape_game
Soft play centre|indoor_playground|indoor_playcenter|leisure=indoor_play
Go-kart track|go_karting_venue|go_kart_track|sport=karting
Ice rink|ice_skating_rink|ice_skating_rink|leisure=ice_rink
Theme park|amusement_park|amusement_park|tourism=theme_park
Zoo|zoo|zoo|tourism=zoo
Museum|museum|museum|tourism=museum
Art gallery|art_gallery|art_gallery|tourism=gallery
Wedding venue|wedding_venue|event_venue|amenity=events_venue
Event venue|event_venue|event_venue|amenity=events_venue
Conference centre|convention_center|civic_center|amenity=conference_centre
Tourist attraction|tourist_attraction|amusement_attraction|tourism=attraction
Accountant|accounting|accountant|office=accountant
Tax adviser|consultant|tax_service|office=tax_advisor
Solicitor|lawyer|attorney_or_law_firm|office=lawyer
Estate agent|real_estate_agency|real_estate_agent|office=estate_agent
Letting agent|real_estate_agency|property_management|office=estate_agent;office=property_management
Surveyor||land_surveying|office=surveyor
Mortgage broker||mortgage_broker|office=financial_advisor;office=financial
Financial adviser|consultant|financial_advising|office=financial_advisor
Insurance broker|insurance_agency|insurance_agency|office=insurance
Bank|bank|bank_or_credit_union|amenity=bank
Recruitment agency|employment_agency|employment_agency|office=employment_agency
Marketing agency|marketing_consultant|marketing_agency|office=advertising_agency
Web designer||web_designer|office=it;office=graphic_design
Graphic designer||graphic_designer|office=graphic_design
IT support company||it_service_and_computer_repair|office=it
Software company|corporate_office|software_development|office=it
Telecoms company|telecommunications_service_provider|telecommunications_service|office=telecommunication
Business consultant|consultant|business_consulting|office=consulting
Architect||architect|office=architect
Structural engineer||structural_engineer|office=engineer
Interior designer||interior_design|shop=interior_decoration
Photographer||photography_service|craft=photographer
Printer||printing_service|shop=copyshop
Sign maker||sign_making|craft=signmaker
Translator||translating_and_interpreting_service|office=translator
Security company||security_service|office=security
Coworking space|coworking_space|coworking_space|amenity=coworking_space;office=coworking
Self storage|storage|self_storage_facility|shop=storage_rental
Courier|courier_service|courier_and_delivery_service|office=courier
Removals company|moving_company|mover|office=moving_company
Travel agent|travel_agency|travel_agent|shop=travel_agency
Funeral director|funeral_home|funeral_service|shop=funeral_directors
Plumber|plumber|plumbing|craft=plumber
Electrician|electrician|electrician|craft=electrician
Heating engineer||hvac_service|craft=hvac
Builder||contractor|craft=builder;office=construction_company
Roofer|roofing_contractor|roofing|craft=roofer
Carpenter||carpenter|craft=carpenter;craft=joiner
Plasterer||plasterer|craft=plasterer
Painter and decorator|painter|painting|craft=painter
Tiler||tiling|craft=tiler
Flooring contractor||flooring_contractor|craft=floorer;craft=parquet_layer
Glazier||windows_installation|craft=glaziery
Window and door fitter||windows_installation|craft=window_construction
Scaffolder|||craft=scaffolder
Landscape gardener||landscaping|craft=gardener
Tree surgeon||tree_service|craft=arborist
Fencing contractor||fence_and_gate_sales_service|craft=fence_maker
Paving contractor||paving_contractor|craft=paver
Solar panel installer||solar_installation|craft=solar_panel_installer
Locksmith|locksmith|key_and_locksmith|shop=locksmith;craft=locksmith
Cleaning company||cleaning_service|craft=cleaning
Window cleaner||window_washing|craft=cleaning
Pest control||pest_control_service|office=pest_control;craft=pest_control
Skip hire||dumpster_rental|amenity=waste_transfer_station
Tool hire||rental_service|shop=tool_hire
Tailor|tailor|sewing_and_alterations|shop=tailor;craft=tailor
Shoe repair||shoe_repair|shop=shoe_repair;craft=shoemaker
Dry cleaner|laundry|dry_cleaning|shop=dry_cleaning
Laundrette|laundry|laundromat|shop=laundry
Phone repair|cell_phone_store|mobile_phone_repair|shop=mobile_phone&repair=yes;craft=electronics_repair
Appliance repair||appliance_repair_service|craft=electronics_repair
Dog groomer|pet_care|pet_groomer|shop=pet_grooming
Kennels and cattery|pet_boarding_service|pet_boarding|amenity=animal_boarding
Nursery|preschool|preschool|amenity=kindergarten
Childminder|child_care_agency|child_care_and_day_care|amenity=childcare
Primary school|primary_school|elementary_school|amenity=school&isced:level=1
Secondary school|secondary_school|high_school|amenity=school&isced:level=2
College|educational_institution|college_university|amenity=college
University|university|college_university|amenity=university
Music school||music_school|amenity=music_school
Tutor||tutoring_service|amenity=prep_school
Training provider|educational_institution|vocational_and_technical_school|office=educational_institution
Library|library|library|amenity=library
Church|church|christian_place_of_worship|amenity=place_of_worship&religion=christian
Mosque|mosque|muslim_place_of_worship|amenity=place_of_worship&religion=muslim
Synagogue|synagogue|jewish_place_of_worship|amenity=place_of_worship&religion=jewish
Hindu temple|hindu_temple|hindu_place_of_worship|amenity=place_of_worship&religion=hindu
Gurdwara||sikh_place_of_worship|amenity=place_of_worship&religion=sikh
Buddhist temple|buddhist_temple|buddhist_place_of_worship|amenity=place_of_worship&religion=buddhist
Charity|non_profit_organization|charity_organization|office=charity;office=ngo
Community centre|community_center|community_center|amenity=community_centre
Social club|association_or_organization|social_club|amenity=social_centre
Animal shelter||animal_shelter|amenity=animal_shelter
Housing association||housing_authority|office=housing_association
Manufacturer|manufacturer|manufacturer|man_made=works
Haulage company|transportation_service|freight_and_cargo_service|office=logistics
Company office|corporate_office|corporate_or_business_office|office=company`;

export const TYPE_NAMES: readonly TypeNames[] = LINES.trim()
  .split('\n')
  .map((line) => {
    const [label = '', google, overture, osm] = line.split('|');
    return { label, google: google || null, overture: overture || null, osm: osm || null };
  });
