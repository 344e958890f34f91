! A ring in which nobody can leave an exchange before both neighbours are in it; at the end rank 0 alone has more to do.
program ring
  use mpi
  implicit none
  integer, parameter :: cells = 20, steps = 60
  integer :: rank, ranks, error, step, i
  real(8) :: u(0:cells + 1), mine, all
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  u = rank
  do step = 1, steps
    call exchange(u)
    do i = 1, cells
      u(i) = 0.5d0 * (u(i - 1) + u(i + 1)) + 1 ! changed
    end do
  end do
  mine = sum(u(1:cells))
  call MPI_Reduce(mine, all, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, error)
  if (rank == 0) then
    all = all / ranks ! alone
    print *, all
  end if
  call MPI_Finalize(error)
contains
  subroutine exchange(v)
    real(8), intent(inout) :: v(0:cells + 1)
    integer :: left, right
    left = mod(rank + ranks - 1, ranks)
    right = mod(rank + 1, ranks)
    call MPI_Sendrecv(v(1), 1, MPI_DOUBLE_PRECISION, left, 1, v(cells + 1), 1, MPI_DOUBLE_PRECISION, right, 1, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    call MPI_Sendrecv(v(cells), 1, MPI_DOUBLE_PRECISION, right, 2, v(0), 1, MPI_DOUBLE_PRECISION, left, 2, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
  end subroutine
end program
