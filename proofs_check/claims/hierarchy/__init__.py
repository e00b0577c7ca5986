"""Topic hierarchy: Dyck languages, decodable against used (claims F1 to F7)."""

from .decodable import CLAIM as DECODABLE
from .generator import CLAIM as GENERATOR
from .language import CLAIM as LANGUAGE
from .learning import CLAIM as LEARNING
from .routing import CLAIM as ROUTING
from .sentences import CLAIM as SENTENCES
from .used import CLAIM as USED

CLAIMS = (LANGUAGE, GENERATOR, LEARNING, DECODABLE, USED, SENTENCES, ROUTING)
