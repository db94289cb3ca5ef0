// SPDX-License-Identifier: Apache-2.0

/// Runs the body.
///
/// Apple's frees what Objective-C code inside left to the pool. There is no such code here and no pool: objects are
/// freed with their last reference.
@discardableResult
public func autoreleasepool<Result, Failure: Error>(
    invoking body: () throws(Failure) -> Result
) throws(Failure) -> Result {
    try body()
}
