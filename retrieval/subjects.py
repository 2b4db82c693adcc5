"""What a question may be about when it is not about the collection: everyday life and all of scholarship."""

from __future__ import annotations

__all__ = ["SUBJECTS"]

SUBJECTS = tuple(
    """
    food and cooking | restaurants and drinks | sports and games | weather | travel and holidays | hotels and cities
    | countries and capitals | music and songs | musical instruments | film and theatre | television | painting and
    sculpture | novels and poetry | myths and legends | history | kings and empires | politics and elections |
    government | law and courts | crime and police | war and army | religion | philosophy | school and teaching |
    jobs and employment | salary and vacation | money and banking | shopping and prices | houses and furniture |
    family and children | friends and love | pets | wild animals | birds and fish | clothes and fashion | cars and
    driving | trains and buses | ships and sea | aircraft and flying | gardening | calendar and dates | news |
    famous people | telephone | internet and email | passwords and accounts | astronomy and planets | space flight |
    particle physics | quantum mechanics | heat and thermodynamics | fluid flow | optics and light | magnetism and
    electricity | chemistry | materials and crystals | metals and alloys | polymers | geology and earthquakes |
    climate | oceans and rivers | cells and molecules | genes and DNA | proteins and enzymes | plants | farming and
    soil | ecology | bacteria and viruses | immune system | hospitals and patients | drugs and doses | surgery |
    cancer | heart and blood | brain and nerves | mental health | nutrition and obesity | pregnancy and birth |
    bones and muscles | psychology | sociology | archaeology | economics | business and management | accounting |
    algebra | geometry | number theory | mechanical engineering | electronics | buildings and bridges | energy and
    batteries | mining and oil | factories | computer hardware | programming languages | operating systems |
    computer security | databases | speech and sound | photographs and video | translation and languages | robots |
    libraries and documents | time zones and clocks | board games | cards and gambling | jokes and humour | hobbies
    and crafts | dance | museums | festivals and holidays | languages and grammar | spelling and writing | religious
    texts | superstition | marriage | parties | neighbours | old age | sleep | hair and beauty | bread and cakes |
    coffee and tea | wine and beer | fruit and vegetables | meat and fish | cleaning and laundry | tools and repair
    | heating and plumbing | bicycles | roads and traffic | maps and places | islands and beaches | mountains |
    deserts | forests | rain and snow | storms and floods | fire | water supply | waste and recycling | insects |
    horses | dinosaurs | taxes | insurance | real estate | advertising | trade and transport | labour unions |
    charity | immigration | human rights | journalism | social media | video games | comics | fashion models |
    celebrities and royalty | radio | cameras | screens and displays | printers | cables and networks | chips and
    circuits | sensors and signals | radar and satellites | lasers | nuclear power | black holes and galaxies |
    gravity | statistical physics | acoustics | chemical reactions | acids and salts | water and ice | minerals |
    fossils | volcanoes | air pollution | agricultural pests | fish stocks | livestock | evolution | embryos |
    hormones | metabolism | vitamins | allergy | infection and antibiotics | diabetes | eyes and vision | ears and
    hearing | teeth | skin | lungs and breathing | kidneys and liver | pain and anaesthesia | rehabilitation |
    nursing | epidemics | public health | alcohol and smoking | anxiety and depression | children's development |
    education policy | crime statistics | voting systems | diplomacy | ancient languages | architecture | urban
    planning | bridges and tunnels | steel and concrete | textiles | paper and packaging | robots and automation |
    rockets and engines | ship building | railways | mathematical proofs | calculus | topology | cryptography | web
    pages | mobile apps | spreadsheets | keyboards and mice | cloud servers | text documents and search |
    chess and checkers | puzzles and riddles | football and basketball | tennis and golf | swimming and rowing |
    running and athletics | skiing and skating | boxing and martial arts | fishing and hunting | camping and hiking |
    toys and dolls | photography as a hobby | sewing and knitting | pottery and glass | jewellery and watches |
    weddings and funerals | birthdays and gifts | flags and anthems | stamps and coins
    """.replace("\n", " ").split("|")
)
"""Each a few words, whose vector stands for the subject."""
