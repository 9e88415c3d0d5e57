/** {@code railyard console}: what is to be shown, and where the pages are; the rest is in the module console. */
@NullMarked
package org.railyard.cli.console;

import org.jspecify.annotations.NullMarked;
