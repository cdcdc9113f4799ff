"""What one candidate costs: its evaluation, and the frame around it."""
