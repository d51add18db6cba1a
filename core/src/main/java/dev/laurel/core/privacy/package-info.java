/**
 * What users may decide about themselves: {@link dev.laurel.core.privacy.Profiles} has their names
 * and who is not to be shown, {@link dev.laurel.core.privacy.UserData} finds what there is of a
 * user, {@link dev.laurel.core.privacy.Erasure} removes it and keeps ranks and ledger.
 */
@NullMarked
package dev.laurel.core.privacy;

import org.jspecify.annotations.NullMarked;
