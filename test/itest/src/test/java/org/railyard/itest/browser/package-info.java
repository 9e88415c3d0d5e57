/** The console's pages in a real browser, with real daemons and with names and numbers that are hard to show. */
@NullMarked
package org.railyard.itest.browser;

import org.jspecify.annotations.NullMarked;
