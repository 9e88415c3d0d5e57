/** {@code railyard console}: what is to be shown, and where the pages are. The rest is in {@code org.railyard.console}. */
@NullMarked
package org.railyard.cli.console;

import org.jspecify.annotations.NullMarked;
