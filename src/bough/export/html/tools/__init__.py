"""What a tool was given and gave back, as HTML, each in the form that suits it."""
