"""The fast paths: leaving them out changes no behaviour (`declare/switch.py`)."""
