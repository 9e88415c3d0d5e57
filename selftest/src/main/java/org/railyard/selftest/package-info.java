/** What a program uses of selftest: a node under test, and a console. */
@NullMarked
package org.railyard.selftest;

import org.jspecify.annotations.NullMarked;
