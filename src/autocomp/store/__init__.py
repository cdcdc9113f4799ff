"""Events and blobs in one SQLite file: nothing paid for is lost."""
