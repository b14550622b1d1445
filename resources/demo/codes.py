"""The invented country of the demonstration survey: its municipalities, its occupations and the other codelists."""

from __future__ import annotations

# Province: its municipalities with their share of the population (per 10 000). The code of a municipality is the
# province's number and its own rank in it, two digits each.
PROVINCES: dict[str, dict[str, int]] = {
    "Avermoor": {"Port Avel": 1200, "Callowford": 520, "Tarnsea": 310, "Ember Quay": 175, "Wick Hollow": 60},
    "Brindale": {"Brinmouth": 900, "Oxenrill": 380, "Saddlecote": 240, "Lower Fenn": 95, "Upper Fenn": 40},
    "Corveth": {"Corveth City": 1120, "Maplewade": 340, "Stonepool": 205, "Harrowsend": 70},
    "Dunmarsh": {"Dunmarsh Town": 400, "Reedling": 180, "Eelbrook": 85, "Mudford": 30, "Salt Ness": 45, "Gullrock": 18},
    "Estervale": {"Esterholm": 760, "Vinely": 310, "Quarrydene": 180, "Larkrise End": 90, "Thornmere": 55},
    "Fallowmere": {"Fallow Cross": 340, "Kettleby Moss": 150, "Pinderwell": 80, "Ashgill": 30, "Dray Hill": 20},
    "Glasterland": {"Glaster": 610, "Ironhythe": 270, "Smelting": 160, "Coldforge": 75, "Slagby": 35},
    "Hethermark": {"Hethermark": 240, "Wolfsgarth": 110, "Snowdrop Pass": 50, "Far Beacon": 22, "Hermit Isle": 10},
}

# Design: one household in this many is drawn, by province; the small provinces are oversampled.
HOUSEHOLDS_PER_DRAW = (98, 92, 95, 61, 88, 57, 84, 44)

SEX = {"1": "Male", "2": "Female"}
MARITAL_STATUS = {"1": "Never married", "2": "Married", "3": "Divorced or separated", "4": "Widowed"}
POSITION = {
    "1": "Living alone",
    "2": "Partner in a couple",
    "3": "Child at home",
    "4": "Lone parent",
    "5": "Other member",
}
EDUCATION = {
    "0": "Below school-leaving age",
    "1": "Primary",
    "2": "Lower secondary",
    "3": "Upper secondary",
    "4": "Vocational diploma",
    "5": "Bachelor or equal",
    "6": "Master or doctor",
}
ILLNESS = {
    "0": "None",
    "1": "Heart or vessels",
    "2": "Diabetes",
    "3": "Lungs",
    "4": "Joints or back",
    "5": "Mental health",
    "6": "Cancer",
    "7": "Other",
}
AGE_GROUPS = {
    "1": ("0-14", "0 to 14"),
    "2": ("15-24", "15 to 24"),
    "3": ("25-34", "25 to 34"),
    "4": ("35-44", "35 to 44"),
    "5": ("45-54", "45 to 54"),
    "6": ("55-64", "55 to 64"),
    "7": ("65-74", "65 to 74"),
    "8": ("75-", "75 and over"),
}

# Occupation: major group, minor group and two digits of the unit; the first unit of a minor group is the commonest.
OCCUPATIONS: dict[str, tuple[str, ...]] = {
    "11": ("Head of a large organisation", "Senior official"),
    "12": ("Sales manager", "Production manager", "Manager of an office"),
    "21": ("Civil engineer", "Chemist", "Architect"),
    "22": ("Physician", "Hospital nurse, graduate", "Veterinarian"),
    "23": ("Secondary school teacher", "Primary school teacher", "University teacher"),
    "24": ("Accountant", "Lawyer", "Statistician"),
    "31": ("Construction technician", "Laboratory technician", "Ship's officer"),
    "32": ("Nurse", "Pharmacy assistant"),
    "33": ("Insurance agent", "Tax officer", "Police inspector"),
    "41": ("Secretary", "General clerk"),
    "42": ("Bank teller", "Receptionist", "Stock clerk"),
    "51": ("Cook", "Waiter", "Hairdresser"),
    "52": ("Shop assistant", "Market trader"),
    "53": ("Care assistant", "Child minder"),
    "61": ("Dairy farmer", "Fruit grower", "Forester"),
    "62": ("Sea fisher", "Fish farmer"),
    "71": ("Bricklayer", "Painter", "Roofer"),
    "72": ("Mechanic", "Toolmaker", "Blacksmith"),
    "73": ("Printer", "Watchmaker", "Baker"),
    "81": ("Plant operator", "Weaving machine operator"),
    "83": ("Lorry driver", "Bus driver", "Train driver"),
    "91": ("Cleaner", "Kitchen help"),
    "93": ("Building labourer", "Warehouse hand", "Dock worker"),
}
NOT_WORKING = "0000"

MAJOR_GROUPS = {
    "0": "Not working",
    "1": "Managers",
    "2": "Professionals",
    "3": "Technicians and associates",
    "4": "Clerks",
    "5": "Service and sales",
    "6": "Farming and fishing",
    "7": "Crafts",
    "8": "Machine operators and drivers",
    "9": "Elementary work",
}

# Which major groups are open to an education, with their chances.
MAJORS_BY_EDUCATION: dict[str, dict[str, int]] = {
    "1": {"5": 20, "6": 8, "7": 16, "8": 18, "9": 38},
    "2": {"4": 8, "5": 27, "6": 6, "7": 21, "8": 18, "9": 20},
    "3": {"1": 3, "3": 14, "4": 22, "5": 29, "6": 4, "7": 14, "8": 8, "9": 6},
    "4": {"1": 4, "3": 32, "4": 16, "5": 16, "6": 4, "7": 21, "8": 5, "9": 2},
    "5": {"1": 12, "2": 52, "3": 24, "4": 9, "5": 3},
    "6": {"1": 17, "2": 73, "3": 8, "4": 2},
}
# Middle of the yearly earnings of a full working life, by major group, in hundreds.
EARNINGS = {"1": 720, "2": 560, "3": 420, "4": 330, "5": 270, "6": 300, "7": 340, "8": 320, "9": 230}


def municipalities() -> dict[str, str]:
    """Code of each municipality and its name."""
    return {
        f"{province:02}{rank:02}": name
        for province, members in enumerate(PROVINCES.values(), start=1)
        for rank, name in enumerate(members, start=1)
    }


def provinces() -> dict[str, str]:
    """Code of each province and its name."""
    return {f"{number:02}": name for number, name in enumerate(PROVINCES, start=1)}


def occupations() -> dict[str, str]:
    """Code of each occupation and its name, and the code of those without one."""
    units = {f"{group}{unit:02}": name for group, names in OCCUPATIONS.items() for unit, name in enumerate(names, 1)}
    return {NOT_WORKING: "Not working", **units}


def household_shares() -> dict[str, int]:
    """How likely a drawn household lives in each municipality: its size over the province's households per draw."""
    sizes = [size for members in PROVINCES.values() for size in members.values()]
    return {
        code: 100_000 * size // HOUSEHOLDS_PER_DRAW[int(code[:2]) - 1]
        for code, size in zip(municipalities(), sizes, strict=True)
    }
