/** {@code railyard campaign}: many runs by one plan, kept in a folder. */
@NullMarked
package org.railyard.cli.campaign;

import org.jspecify.annotations.NullMarked;
