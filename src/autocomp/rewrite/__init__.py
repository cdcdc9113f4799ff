"""The offline proposer: concrete moves on a parsed kernel."""
