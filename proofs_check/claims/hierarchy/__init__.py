"""Topic hierarchy: Dyck languages, decodable against used (claims F1 to F7)."""
