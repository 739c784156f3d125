"""What things cost, as ratios taken in one run (`make bench`): seconds say more about the machine than about the code.

A measure times a base and something beside it in turns; the medians' ratio is what it tells. Only what is deleted again
or rolled back is timed, so that each turn finds what the first one found.
"""
