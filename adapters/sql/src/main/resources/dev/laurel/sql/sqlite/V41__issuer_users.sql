-- What the ids of an issuer's users begin with. Issuers of before go on to share the tenant's users.
ALTER TABLE issuers ADD COLUMN user_prefix TEXT NOT NULL DEFAULT '';
