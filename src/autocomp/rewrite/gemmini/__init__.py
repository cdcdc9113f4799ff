"""What the offline proposer knows of Gemmini: commands, data flow and the moves."""
