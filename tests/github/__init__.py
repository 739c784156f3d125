"""The GitHub room against a real server on loopback that answers what a test scripts."""
